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

/** Who uploads a file: a member of staff, or the customer of a call, whose id is then `user_id`. */
export type Uploader = Pick<Principal, 'tenant_id' | 'user_id'>;

/** A request after authentication; `user` is undefined on a public route, which may have an `uploader`. */
export type AuthenticatedRequest = Request & { user?: Principal; uploader?: Uploader };
