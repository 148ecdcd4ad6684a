/** What may have changed for a tenant, so that a waiting call can be offered. */
export interface Wake {
  tenant_id: string;
  /** Agents who may take a call now. */
  user_ids: ReadonlySet<string>;
  /** Calls that may be offered now. */
  call_ids: ReadonlySet<string>;
  /** Whether any of the tenant's calls may be offered, since the plan or a department allows it. */
  all: boolean;
}

/** News of a tenant. */
export type News = Partial<Record<'user_ids' | 'call_ids', string[]> & { all: boolean }>;

export const wakeOf = (tenantId: string, { user_ids = [], call_ids = [], all = false }: News): Wake => ({
  tenant_id: tenantId,
  user_ids: new Set(user_ids),
  call_ids: new Set(call_ids),
  all,
});

export const mergeWakes = (one: Wake, other: Wake): Wake => ({
  tenant_id: one.tenant_id,
  user_ids: new Set([...one.user_ids, ...other.user_ids]),
  call_ids: new Set([...one.call_ids, ...other.call_ids]),
  all: one.all || other.all,
});
