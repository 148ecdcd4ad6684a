import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { forbidden, unauthenticated } from '../../platform/http/errors/api-error';
import { PUBLIC } from '../../platform/access/public.decorator';
import { routeMetadata } from '../../platform/access/route-metadata';
import { setActor } from '../../platform/logging/request-context';
import { type SessionState, SessionStateCache } from './session-state-cache';

/** Requires the access token of an open session on every route that is not @Public. */
@Injectable()
export class AuthenticationGuard extends AuthGuard('jwt') {
  constructor(private readonly sessions: SessionStateCache) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (routeMetadata<boolean>(context, PUBLIC)) return true;
    const request = context.switchToHttp().getRequest<Request & { user: SessionState }>();
    const state = await this.sessions.findByVerifiedToken(bearerToken(request));
    if (state) request.user = state;
    else await super.canActivate(context);
    setActor(request.user);
    const tenant = request.headers['x-tenant'];
    if (typeof tenant === 'string' && !namesTenantOf(tenant, request.user)) {
      throw forbidden('X-Tenant and the access token name different tenants.', 'wrong_tenant');
    }
    return true;
  }

  override handleRequest<User>(error: unknown, user: User | false, info: unknown): User {
    // Rethrow, for example session_ended or a database failure: only an invalid token becomes the 401 below.
    if (error) throw error;
    if (user) return user;
    const expired = info instanceof Error && info.name === 'TokenExpiredError';
    throw expired
      ? unauthenticated('The access token has expired.', 'token_expired')
      : unauthenticated('A valid access token is required.', 'unauthenticated');
  }
}

function bearerToken(request: Request): string {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
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
