/** What may have changed for a tenant, so that a waiting call can be offered. */
export interface Wake {
  tenant_id: string;
  /** Agents who may take a call now. */
  user_ids: ReadonlySet<string>;
  /** Departments with a call that may be offered now. */
  department_ids: ReadonlySet<string>;
  /** Whether any of the tenant's calls may be offered, since the plan allows another one. */
  all: boolean;
}

export const wakeOf = (
  tenantId: string,
  {
    user_ids = [],
    department_ids = [],
    all = false,
  }: { user_ids?: string[]; department_ids?: string[]; all?: boolean },
): Wake => ({
  tenant_id: tenantId,
  user_ids: new Set(user_ids),
  department_ids: new Set(department_ids),
  all,
});

export const mergeWakes = (one: Wake, other: Wake): Wake => ({
  tenant_id: one.tenant_id,
  user_ids: new Set([...one.user_ids, ...other.user_ids]),
  department_ids: new Set([...one.department_ids, ...other.department_ids]),
  all: one.all || other.all,
});
