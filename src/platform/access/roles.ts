/** The roles of staff, lowest first. Each role includes the rights of the lower ones. */
export const ROLES = ['attendant', 'supervisor', 'manager', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Whether `role` is `minimum` or above. */
export function hasMinimumRole(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}
