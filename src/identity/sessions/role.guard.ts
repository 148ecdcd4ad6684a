import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden } from '../../platform/http/errors/api-error';
import { hasMinimumRole, type Role } from '../../platform/access/roles';
import { PUBLIC } from '../../platform/access/public.decorator';
import { routeMetadata } from '../../platform/access/route-metadata';
import { MINIMUM_ROLE } from '../../platform/access/access.decorators';
import type { SessionState } from './session-states';
import { mfaEnrolmentRequired, ALLOWED_WHILE_ENROLLING } from '../mfa/allowed-while-enrolling';

/** Lets staff pass whose role suffices. A route that declares nothing lets nobody pass. */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (routeMetadata<boolean>(context, PUBLIC)) return true;
    const minimum = routeMetadata<Role>(context, MINIMUM_ROLE);
    const { user } = context.switchToHttp().getRequest<Request & { user?: SessionState }>();
    if (user?.must_enrol && !routeMetadata<boolean>(context, ALLOWED_WHILE_ENROLLING))
      throw mfaEnrolmentRequired();
    if (minimum && user && hasMinimumRole(user.role, minimum)) return true;
    throw forbidden(minimum ? `This needs the role ${minimum} or above.` : 'This route is closed.');
  }
}
