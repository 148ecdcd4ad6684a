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

export const PUBLIC = Symbol('PUBLIC');

/** Opens a route to callers without an access token. Declare its @RateLimit as well. */
export const Public = () => SetMetadata(PUBLIC, true);

export const ALLOWED_WHILE_ENROLLING = Symbol('ALLOWED_WHILE_ENROLLING');

/** Opens a route also to users whose tenant requires MFA and who have not set it up yet. */
export const AllowedWhileEnrolling = () => SetMetadata(ALLOWED_WHILE_ENROLLING, true);

export const RESERVED_CONNECTION = Symbol('RESERVED_CONNECTION');

/** Lets a route or socket event use the reserved database connections: it belongs to a call in progress. */
export const ReservedConnection = () => SetMetadata(RESERVED_CONNECTION, true);
