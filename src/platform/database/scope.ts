import { escapeLiteral } from 'pg';
import type { Settings, Statement } from './statement';
import { REQUEST_STATEMENT_TIMEOUT_MS } from './connections/time-limits';

/** The rows that a transaction may access: one tenant's, or those of all tenants. */
export type Scope = { tenantId: string } | 'system';

/** The tenant of the scope; undefined for all tenants. */
export const tenantOf = (scope: Scope): string | undefined =>
  scope === 'system' ? undefined : scope.tenantId;

/**
 * Sets the scope for the current transaction; the policies of row-level security read it.
 * @param statementTimeoutMs replaces the limit of requests for each statement of the transaction, but not a limit that
 *   DATABASE_URL sets
 * @param lockTimeoutMs how long each statement of the transaction waits for a lock, instead of the limit of the session
 */
export function scopeStatement(scope: Scope, statementTimeoutMs?: number, lockTimeoutMs?: number): Statement {
  const statementColumn = statementTimeoutMs === undefined ? '' : `, ${statementTimeout(statementTimeoutMs)}`;
  const timeouts = statementColumn + lockTimeoutColumn(lockTimeoutMs);
  return scope === 'system'
    ? { text: `SELECT set_config('app.system', 'on', true)${timeouts}` }
    : {
        text: `SELECT set_config('app.tenant_id', $1, true)${timeouts}`,
        values: [scope.tenantId],
      };
}

/**
 * Begins a transaction that reads within the scope, with its settings. It is one text, because PostgreSQL answers each message by
 * itself, and a text of several commands has no parameters. Not SET LOCAL: pg_stat_statements would keep an entry of it for each
 * tenant, because PostgreSQL replaces constants by parameters there only in SELECT and the like.
 */
export function beginReading(scope: Scope, settings: Settings, statementTimeoutMs?: number): string {
  const own: Settings = scope === 'system' ? { 'app.system': 'on' } : { 'app.tenant_id': scope.tenantId };
  const timeout = statementTimeoutMs === undefined ? '' : `, ${statementTimeout(statementTimeoutMs)}`;
  return `BEGIN READ ONLY; ${settingsStatement({ ...own, ...settings }).text}${timeout}`;
}

/** Applies the settings to the statements of the transaction that follow. */
export function settingsStatement(settings: Settings): Statement {
  const columns = Object.entries(settings).map(
    ([name, value]) => `set_config(${escapeLiteral(name)}, ${escapeLiteral(value)}, true)`,
  );
  return { text: `SELECT ${columns.join(', ')}` };
}

/** Narrows the scope of the current transaction from all tenants to one. */
export const narrowingStatement = (tenantId: string): Statement => ({
  text: `SELECT set_config('app.tenant_id', $1, true), set_config('app.system', 'off', true)`,
  values: [tenantId],
});

const statementTimeout = (ms: number) =>
  `set_config('statement_timeout', CASE current_setting('statement_timeout')
     WHEN '${REQUEST_STATEMENT_TIMEOUT_MS / 1000}s' THEN '${Math.round(ms)}'
     ELSE current_setting('statement_timeout') END, true)`;

const lockTimeoutColumn = (lockTimeoutMs: number | undefined) =>
  lockTimeoutMs === undefined ? '' : `, set_config('lock_timeout', '${Math.round(lockTimeoutMs)}', true)`;
