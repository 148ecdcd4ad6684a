import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden } from '../../platform/http/errors/api-error';
import { hasMinimumRole, type Role } from '../../platform/access/roles';
import { ALLOWED_WHILE_ENROLLING, MINIMUM_ROLE, PUBLIC } from '../../platform/access/access.decorators';
import { routeMetadata } from '../../platform/access/route-metadata';
import type { SessionState } from '../sessions/session-state-cache';
import { mfaEnrolmentRequired } from './mfa-enrolment-required';

/** Requires the route's minimum role. A route that declares neither a role nor @Public is closed. */
@Injectable()
export class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http' || routeMetadata<boolean>(context, PUBLIC)) return true;
    const minimum = routeMetadata<Role>(context, MINIMUM_ROLE);
    const { user } = context.switchToHttp().getRequest<Request & { user?: SessionState }>();
    if (user?.must_enrol && !routeMetadata<boolean>(context, ALLOWED_WHILE_ENROLLING))
      throw mfaEnrolmentRequired();
    if (minimum && user && hasMinimumRole(user.role, minimum)) return true;
    throw forbidden(minimum ? `This requires the role ${minimum} or above.` : 'This route is closed.');
  }
}
