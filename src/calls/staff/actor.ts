import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import type { Actor } from '../machine/call.machine';

/** The staff member as the one who requests a transition of a call. */
export const actorOf = ({ user_id, role }: Principal): Actor => ({
  user_id,
  supervises: hasMinimumRole(role, 'supervisor'),
});
