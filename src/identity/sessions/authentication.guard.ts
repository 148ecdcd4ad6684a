import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { forbidden, unauthenticated } from '../../platform/http/errors/api-error';
import { PUBLIC } from '../../platform/access/public.decorator';
import { routeMetadata } from '../../platform/access/route-metadata';
import { setActor } from '../../platform/logging/request-context';
import { type SessionState, SessionStates } from './session-states';

/** Every route wants a living session's access token, unless it is @Public. */
@Injectable()
export class AuthenticationGuard extends AuthGuard('jwt') {
  constructor(private readonly sessions: SessionStates) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (routeMetadata<boolean>(context, PUBLIC)) return true;
    const request = context.switchToHttp().getRequest<Request & { user: SessionState }>();
    const known = await this.sessions.recall(bearerToken(request));
    if (known) request.user = known;
    else await super.canActivate(context);
    setActor(request.user);
    const tenant = request.headers['x-tenant'];
    if (typeof tenant === 'string' && !names(tenant, request.user)) {
      throw forbidden('X-Tenant names another tenant than the access token.', 'wrong_tenant');
    }
    return true;
  }

  override handleRequest<User>(error: unknown, user: User | false, info: unknown): User {
    // A session that has ended, or a database that does not answer: that is no reason to log anybody out.
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

/** Node reads header bytes as Latin-1; most clients send UTF-8. */
function names(header: string, state: SessionState): boolean {
  const readings = [header, Buffer.from(header, 'latin1').toString('utf8')].map((reading) =>
    reading.trim().toLowerCase(),
  );
  return [state.tenant_id, state.tenant_slug, state.tenant_name].some((name) =>
    readings.includes(name.toLowerCase()),
  );
}
