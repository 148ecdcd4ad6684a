import type { Statement } from './statement';

/** The rows that a transaction may access: one tenant's, or those of all tenants. */
export type Scope = { tenantId: string } | 'system';

/**
 * Sets the scope for the current transaction; the policies of row-level security read it.
 * @param statementTimeoutMs replaces the session's limit for each statement of the transaction
 */
export function scopeStatement(scope: Scope, statementTimeoutMs?: number): Statement {
  const timeout =
    statementTimeoutMs === undefined
      ? ''
      : `, set_config('statement_timeout', '${Math.round(statementTimeoutMs)}', true)`;
  return scope === 'system'
    ? { text: `SELECT set_config('app.system', 'on', true)${timeout}` }
    : { text: `SELECT set_config('app.tenant_id', $1, true)${timeout}`, values: [scope.tenantId] };
}
