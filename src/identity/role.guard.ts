import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden } from '../platform/http/api-error';
import { hasMinimumRole, type Role } from '../platform/http/principal';
import { PUBLIC } from '../platform/http/public.decorator';
import { routeMetadata } from '../platform/http/route-metadata';
import { MINIMUM_ROLE } from '../platform/http/access.decorators';
import type { SessionState } from './session-states';
import { mustEnrol, WHILE_ENROLLING } from './while-enrolling';

/** Lets staff pass whose role suffices. A route that declares nothing lets nobody pass. */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (routeMetadata<boolean>(context, PUBLIC)) return true;
    const minimum = routeMetadata<Role>(context, MINIMUM_ROLE);
    const { user } = context.switchToHttp().getRequest<Request & { user?: SessionState }>();
    if (user?.must_enrol && !routeMetadata<boolean>(context, WHILE_ENROLLING)) throw mustEnrol();
    if (minimum && user && hasMinimumRole(user.role, minimum)) return true;
    throw forbidden(minimum ? `This needs the role ${minimum} or above.` : 'This route is closed.');
  }
}
