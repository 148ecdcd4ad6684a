import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';

/** A token that was rejected. */
export class TokenError extends Error {
  constructor(readonly code: 'token_expired' | 'token_invalid') {
    super(code);
  }
}

/** The signing keys by their id: the first one signs, all of them verify. */
@Injectable()
export class TokenKeys {
  private readonly keys: Map<string, KeyObject>;
  readonly signingKeyId: string;

  constructor(@Inject(CONFIG) config: Config) {
    // Verifying with a KeyObject is about forty times as fast as with the same secret as a string.
    this.keys = new Map(config.jwtSecrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
    this.signingKeyId = keyId(config.jwtSecrets[0] ?? '');
  }

  get signing(): KeyObject {
    return this.byId(this.signingKeyId);
  }

  /** The signing key first. */
  get all(): KeyObject[] {
    return [...this.keys.values()];
  }

  /**
   * The key that the token's header names (`kid`). The signature is not verified yet.
   * @throws TokenError for an unknown key
   */
  forToken(token: string): KeyObject {
    return this.byId(readKeyId(token));
  }

  private byId(id: unknown): KeyObject {
    const key = this.keys.get(String(id));
    if (!key) throw new TokenError('token_invalid');
    return key;
  }
}

function readKeyId(token: string): unknown {
  try {
    const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    return (JSON.parse(header) as { kid?: unknown }).kid;
  } catch {
    return undefined;
  }
}

/** Identifies a secret without revealing it. */
function keyId(secret: string): string {
  return createHash('sha256').update(`key id of ${secret}`).digest('base64url').slice(0, 12);
}
