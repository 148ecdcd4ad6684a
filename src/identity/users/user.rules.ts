import { forbidden } from '../../platform/http/errors/api-error';
import { hasMinimumRole, type Role } from '../../platform/access/principal';

/**
 * Users can neither grant a role above their own nor edit a user who has one.
 * @throws 403
 */
export function ensureMayManage(actor: Role, ...roles: (Role | undefined)[]): void {
  for (const role of roles) {
    if (role && !hasMinimumRole(actor, role)) {
      throw forbidden(`The role ${actor} cannot grant or edit the role ${role}.`);
    }
  }
}
