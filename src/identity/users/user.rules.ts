import { forbidden } from '../../platform/http/errors/api-error';
import { hasMinimumRole, type Role } from '../../platform/access/roles';

/** Users set the passwords of lower roles only. @throws 403 */
export function ensureMaySetPassword(actor: Role, role: Role): void {
  if (actor !== role && hasMinimumRole(actor, role)) return;
  throw forbidden(`The role ${actor} cannot set the password of the role ${role}.`);
}

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
