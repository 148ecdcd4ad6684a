import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { forbidden } from '../platform/http/api-error';
import { type AuthenticatedRequest, hasMinimumRole, type Role } from '../platform/http/principal';
import { PUBLIC } from '../platform/http/public.decorator';
import { MINIMUM_ROLE } from './access.decorators';

/** Lets staff pass whose role suffices. A route that declares nothing lets nobody pass. */
@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets)) return true;
    const minimum = this.reflector.getAllAndOverride<Role | undefined>(MINIMUM_ROLE, targets);
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (minimum && user && hasMinimumRole(user.role, minimum)) return true;
    throw forbidden(minimum ? `This needs the role ${minimum} or above.` : 'This route is closed.');
  }
}
