import type { Request } from 'express';

/** From least to most; each may do what those before it may. */
export const ROLES = ['attendant', 'supervisor', 'manager', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Whether `role` is `minimum` or above. */
export function hasMinimumRole(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum);
}

/** Who is asking: an authenticated member of a tenant's staff. */
export interface Principal {
  tenant_id: string;
  user_id: string;
  session_id: string;
  role: Role;
  name: string;
  /** An attendant whose tenant shows attendants only their departments' calls and their own. */
  restricted: boolean;
}

export type AuthenticatedRequest = Request & { user?: Principal };
