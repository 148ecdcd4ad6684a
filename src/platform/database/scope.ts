import type { Statement } from './statement';
import { REQUEST_STATEMENT_TIMEOUT_MS } from './connections/time-limits';

/** The rows that a transaction may access: one tenant's, or those of all tenants. */
export type Scope = { tenantId: string } | 'system';

/**
 * Sets the scope for the current transaction; the policies of row-level security read it.
 * @param statementTimeoutMs replaces the limit of requests for each statement of the transaction, but not a limit that
 *   DATABASE_URL sets
 */
export function scopeStatement(scope: Scope, statementTimeoutMs?: number): Statement {
  const timeout =
    statementTimeoutMs === undefined
      ? ''
      : `, set_config('statement_timeout', CASE current_setting('statement_timeout')
          WHEN '${REQUEST_STATEMENT_TIMEOUT_MS / 1000}s' THEN '${Math.round(statementTimeoutMs)}'
          ELSE current_setting('statement_timeout') END, true)`;
  return scope === 'system'
    ? { text: `SELECT set_config('app.system', 'on', true)${timeout}` }
    : {
        name: timeout ? undefined : 'scope-tenant',
        text: `SELECT set_config('app.tenant_id', $1, true)${timeout}`,
        values: [scope.tenantId],
      };
}
