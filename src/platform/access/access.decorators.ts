import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import type { AuthenticatedRequest, Principal } from './principal';
import type { Role } from './roles';

export const MINIMUM_ROLE = Symbol('MINIMUM_ROLE');

/** Opens a route to staff of this role and above. A route without this and without @Public is closed. */
export const MinimumRole = (role: Role) =>
  applyDecorators(
    SetMetadata(MINIMUM_ROLE, role),
    ApiBearerAuth('access_token'),
    ApiExtension('x-minimum-role', role),
  );

/** The authenticated member of staff, as a parameter of the handler. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!user) throw new Error('CurrentUser on a public route');
  return user;
});
