import type { Request } from 'express';
import type { Role } from './roles';

/** The authenticated member of a tenant's staff on whose behalf a request is served. */
export interface Principal {
  tenant_id: string;
  user_id: string;
  session_id: string;
  role: Role;
  name: string;
  /** Whether the tenant limits which records this user sees. Each context defines the limit for its records. */
  restricted: boolean;
}

/** A request after authentication; `user` is undefined on a public route. */
export type AuthenticatedRequest = Request & { user?: Principal };
