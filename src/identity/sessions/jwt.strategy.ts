import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { hasExpiry } from '../../platform/tokens/tokens.service';
import { TokenKeys } from '../../platform/tokens/token-keys';
import { type AccessClaims, type SessionState, SessionStates } from './session-states';

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Passport's part: the Bearer token's signature, audience and lifetime; then whether its session lives. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    keys: TokenKeys,
    private readonly sessions: SessionStates,
  ) {
    super({
      jwtFromRequest: bearerToken,
      passReqToCallback: true,
      algorithms: ['HS256'],
      audience: 'staff',
      secretOrKeyProvider: (_request, token: string, done) => {
        try {
          // The types know strings and buffers; jsonwebtoken takes a KeyObject, too, and prefers it.
          done(null, keys.forToken(token) as never);
        } catch (error) {
          done(error);
        }
      },
    });
  }

  async validate(request: Request, claims: AccessClaims): Promise<SessionState | false> {
    if (!hasExpiry(claims)) return false;
    this.sessions.remember(bearerToken(request) ?? '', claims);
    return this.sessions.stateOf(claims);
  }
}
