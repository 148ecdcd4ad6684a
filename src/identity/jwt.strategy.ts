import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { TokenKeys } from '../platform/tokens/tokens';
import { type AccessClaims, Sessions, type SessionState } from './sessions';

/** Passport's part: the Bearer token's signature, audience and lifetime; then whether its session lives. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    keys: TokenKeys,
    private readonly sessions: Sessions,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
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

  validate(claims: AccessClaims): Promise<SessionState> {
    return this.sessions.stateOf(claims);
  }
}
