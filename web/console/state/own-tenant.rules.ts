/**
 * @param me the user's own data; undefined while it is asked for
 * @returns the settings of the company; undefined while they are asked for, null if the service does not send them:
 *   it fails, or its release is older
 */
export function ownTenantOf<Tenant>(
  me: { tenant?: Tenant } | undefined,
  hasFailed: boolean,
): Tenant | null | undefined {
  if (me) return me.tenant ?? null;
  return hasFailed ? null : undefined;
}
