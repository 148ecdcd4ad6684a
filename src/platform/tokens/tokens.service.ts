import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { TokenError, TokenKeys } from './token-keys';

const ALGORITHM = 'HS256';

/** Whether the claims have an expiry time (`exp`). Every token of the service has one. */
export const hasExpiry = (claims: object): boolean => 'exp' in claims && typeof claims.exp === 'number';

/** Signs and verifies the service's JSON Web Tokens (RFC 7519). A token is valid for one audience only. */
@Injectable()
export class TokensService {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: TokenKeys,
  ) {}

  /** @param ttl seconds */
  sign(audience: string, claims: object, ttl: number): string {
    const keyid = this.keys.signingKeyId;
    return this.jwt.sign(claims, { algorithm: ALGORITHM, audience, expiresIn: ttl, keyid });
  }

  /** @throws TokenError when the token is expired, has no expiry time, or is not valid for the audience */
  verify<Claims extends object>(audience: string, token: string): Claims {
    try {
      const claims = this.jwt.verify<Claims>(token, { algorithms: [ALGORITHM], audience });
      if (!hasExpiry(claims)) throw new TokenError('token_invalid');
      return claims;
    } catch (error) {
      const isExpired = error instanceof Error && error.name === 'TokenExpiredError';
      throw new TokenError(isExpired ? 'token_expired' : 'token_invalid');
    }
  }
}
