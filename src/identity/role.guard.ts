import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { forbidden } from '../platform/http/api-error';
import { type AuthenticatedRequest, hasMinimumRole, type Role } from '../platform/http/principal';
import { PUBLIC } from '../platform/http/public.decorator';
import { routeMetadata } from '../platform/http/route-metadata';
import { MINIMUM_ROLE } from '../platform/http/access.decorators';

/** Lets staff pass whose role suffices. A route that declares nothing lets nobody pass. */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (routeMetadata<boolean>(context, PUBLIC)) return true;
    const minimum = routeMetadata<Role>(context, MINIMUM_ROLE);
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (minimum && user && hasMinimumRole(user.role, minimum)) return true;
    throw forbidden(minimum ? `This needs the role ${minimum} or above.` : 'This route is closed.');
  }
}
