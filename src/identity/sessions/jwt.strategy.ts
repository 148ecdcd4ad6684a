import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { runsOut, TokenKeys } from '../../platform/tokens/tokens';
import { type AccessClaims, type SessionState, SessionStateCache } from './session-state-cache';

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Verifies a Bearer token's signature, audience and expiry with Passport, then that its session is open. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    keys: TokenKeys,
    private readonly sessions: SessionStateCache,
  ) {
    super({
      jwtFromRequest: bearerToken,
      passReqToCallback: true,
      algorithms: ['HS256'],
      audience: 'staff',
      secretOrKeyProvider: (_request, token: string, done) => {
        try {
          // The types allow strings and buffers only, but jsonwebtoken also accepts a KeyObject, which is faster.
          done(null, keys.forToken(token) as never);
        } catch (error) {
          done(error);
        }
      },
    });
  }

  async validate(request: Request, claims: AccessClaims): Promise<SessionState | false> {
    if (!runsOut(claims)) return false;
    this.sessions.rememberVerified(bearerToken(request) ?? '', claims);
    return this.sessions.getState(claims);
  }
}
