import type { Statement } from './statement';

/** The rows that a transaction may access: one tenant's, or those of all tenants. */
export type Scope = { tenantId: string } | 'system';

/** Sets the scope for the current transaction; the policies of row-level security read it. */
export function scopeStatement(scope: Scope): Statement {
  return scope === 'system'
    ? { text: `SELECT set_config('app.system', 'on', true)` }
    : { text: `SELECT set_config('app.tenant_id', $1, true)`, values: [scope.tenantId] };
}
