import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { CONFIG, type Config } from '../config/config';

/** Who a token is for; a token of one audience is worthless to any other. */
export type Audience = 'staff' | 'customer' | 'recording';

export class TokenError extends Error {
  constructor(readonly code: 'token_expired' | 'token_invalid') {
    super(code);
  }
}

const ALGORITHM = 'HS256';

/** The signing keys by their id: the first one signs, all of them verify. */
@Injectable()
export class TokenKeys {
  private readonly keys: Map<string, KeyObject>;
  readonly signingKeyId: string;

  constructor(@Inject(CONFIG) config: Config) {
    // A KeyObject verifies some forty times faster than the same secret as a string.
    this.keys = new Map(config.jwtSecrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
    this.signingKeyId = keyId(config.jwtSecrets[0] ?? '');
  }

  get signing(): KeyObject {
    return this.byId(this.signingKeyId);
  }

  /**
   * The key that the token's header names; whether the token is genuine is then checked with it.
   * @throws TokenError for a key that we do not know
   */
  forToken(token: string): KeyObject {
    return this.byId(keyIdOf(token));
  }

  private byId(id: unknown): KeyObject {
    const key = this.keys.get(String(id));
    if (!key) throw new TokenError('token_invalid');
    return key;
  }
}

function keyIdOf(token: string): unknown {
  try {
    const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    return (JSON.parse(header) as { kid?: unknown }).kid;
  } catch {
    return undefined;
  }
}

/** Names a secret without telling it. */
function keyId(secret: string): string {
  return createHash('sha256').update(`key id of ${secret}`).digest('base64url').slice(0, 12);
}

/** Whether the claims say until when they are good: every token of ours does. */
export const runsOut = (claims: object): boolean => 'exp' in claims && typeof claims.exp === 'number';

/** Signs and verifies the service's JSON Web Tokens (RFC 7519). */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: TokenKeys,
  ) {}

  /** @param ttl seconds */
  sign(audience: Audience, claims: object, ttl: number): string {
    return this.jwt.sign(claims, {
      algorithm: ALGORITHM,
      audience,
      expiresIn: ttl,
      keyid: this.keys.signingKeyId,
    });
  }

  /** @throws TokenError, for one that never runs out, too */
  verify<Claims extends object>(audience: Audience, token: string): Claims {
    try {
      const claims = this.jwt.verify<Claims>(token, { algorithms: [ALGORITHM], audience });
      if (!runsOut(claims)) throw new TokenError('token_invalid');
      return claims;
    } catch (error) {
      const expired = error instanceof Error && error.name === 'TokenExpiredError';
      throw new TokenError(expired ? 'token_expired' : 'token_invalid');
    }
  }
}
