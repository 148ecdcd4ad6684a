import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PUBLIC } from '../../platform/access/public.decorator';
import { routeMetadata } from '../../platform/access/route-metadata';
import { forbidden, unauthenticated } from '../../platform/http/errors/api-error';
import { setActor } from '../../platform/logging/request-context';
import { TokenError } from '../../platform/tokens/token-error';
import { type AccessClaims, type SessionState, SessionStateCache } from './session-state-cache';

/** Requires the access token of an open session on every route that is not @Public. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(private readonly sessions: SessionStateCache) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (routeMetadata<boolean>(context, PUBLIC)) return true;
    const request = context.switchToHttp().getRequest<Request & { user: SessionState }>();
    request.user = await this.sessions.getState(this.claimsOf(bearerToken(request)));
    setActor(request.user);
    const tenant = request.headers['x-tenant'];
    if (typeof tenant === 'string' && !namesTenantOf(tenant, request.user)) {
      throw forbidden('X-Tenant and the access token name different tenants.', 'wrong_tenant');
    }
    return true;
  }

  /** @throws 401 */
  private claimsOf(token: string): AccessClaims {
    try {
      return this.sessions.readClaims(token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw error.code === 'token_expired'
        ? unauthenticated('The access token has expired.', 'token_expired')
        : unauthenticated('A valid access token is required.', 'unauthenticated');
    }
  }
}

function bearerToken(request: Request): string {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
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
