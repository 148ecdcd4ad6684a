import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-strategy';
import { type ApiError, unauthenticated } from '../../platform/http/errors/api-error';
import { TokenError } from '../../platform/tokens/token-keys';
import { type AccessClaims, type SessionState, SessionStateCache } from '../sessions/session-state-cache';

/**
 * Passport's strategy for access tokens: the token must be valid and its session open. Passport has one registry of strategies
 * in a process, so each application registers its own under a name of its own. A strategy must not be passed to Passport itself
 * instead of its name: Passport copies a registered strategy for each request, but stores the callbacks of every request in one
 * that it is given, so that a request could get the user of another.
 */
@Injectable()
export class JwtStrategy extends Strategy implements OnModuleDestroy {
  readonly name = `jwt ${randomUUID()}`;

  constructor(private readonly sessions: SessionStateCache) {
    super();
    passport.use(this.name, this);
  }

  onModuleDestroy(): void {
    passport.unuse(this.name);
  }

  override authenticate(request: Request): void {
    this.findUser(request).then(
      (user) => this.success(user),
      (error) => this.error(error as Error),
    );
  }

  /** @throws 401 */
  private async findUser(request: Request): Promise<SessionState> {
    return this.sessions.getState(this.claimsOf(bearerToken(request)));
  }

  /** @throws 401 */
  private claimsOf(token: string): AccessClaims {
    try {
      return this.sessions.readClaims(token);
    } catch (error) {
      throw error instanceof TokenError ? refusal(error) : error;
    }
  }
}

const refusal = ({ code }: TokenError): ApiError =>
  code === 'token_expired'
    ? unauthenticated('The access token has expired.', 'token_expired')
    : unauthenticated('A valid access token is required.', 'unauthenticated');

function bearerToken({ headers }: Request): string {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}
