import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request } from 'express';
import { PUBLIC } from '../../platform/access/access.decorators';
import { routeMetadata } from '../../platform/access/route-metadata';
import { forbidden } from '../../platform/http/errors/api-error';
import { setActor } from '../../platform/logging/request-context';
import { RateLimitGuard } from '../../platform/rate-limit/rate-limit.guard';
import type { SessionState } from '../sessions/session-state-cache';

/** Requires the access token of an open session (JwtStrategy) on every route that is not @Public. */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    options: AuthModuleOptions,
    private readonly rateLimit: RateLimitGuard,
  ) {
    super(options);
  }

  /** Requests with a rejected token count against the limit of the client address, which ends guessing. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http' || routeMetadata<boolean>(context, PUBLIC)) return true;
    try {
      await super.canActivate(context);
      admit(context.switchToHttp().getRequest<Request & { user: SessionState }>());
    } catch (error) {
      await this.rateLimit.canActivate(context);
      throw error;
    }
    return true;
  }
}

/** Lets the user act. @throws 403 if the header X-Tenant names another tenant */
function admit({ headers, user }: Request & { user: SessionState }): void {
  setActor(user);
  const tenant = headers['x-tenant'];
  if (typeof tenant === 'string' && !namesTenantOf(tenant, user)) {
    throw forbidden('X-Tenant and the access token name different tenants.', 'wrong_tenant');
  }
}

/** Compares the header in two decodings: Node reads header bytes as Latin-1, most clients send UTF-8. */
function namesTenantOf(header: string, state: SessionState): boolean {
  const decodings = [header, Buffer.from(header, 'latin1').toString('utf8')].map((decoding) =>
    decoding.trim().toLowerCase(),
  );
  return [state.tenant_id, state.tenant_slug, state.tenant_name].some((name) =>
    decodings.includes(name.toLowerCase()),
  );
}
