import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  id: string;
  secret: Buffer;
}

/**
 * A stored secret that no configured key can open, for example after a change of ENCRYPTION_KEY without
 * rotation.
 */
export class SealError extends Error {
  override name = 'SealError';
}

/**
 * Seals secrets that must be readable later (AES-256-GCM, NIST SP 800-38D). The first ENCRYPTION_KEY seals,
 * both open. A sealed secret is bound to its purpose, so it cannot be moved to another record.
 */
@Injectable()
export class SecretBox {
  private readonly keys: [Key, ...Key[]];

  constructor(@Inject(CONFIG) config: Config) {
    this.keys = config.encryptionKeys.map(derive) as [Key, ...Key[]];
  }

  /** @param purpose must be the same when the secret is opened, such as `mfa_secret of <user id>` */
  seal(plaintext: string, purpose: string): string {
    const [{ id, secret }] = this.keys;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, secret, iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** @throws SealError if no key fits, or the sealed text or the purpose has changed */
  open(sealed: string, purpose: string): string {
    const [keyId, text = ''] = sealed.split('.');
    const key = this.keys.find((candidate) => candidate.id === keyId);
    if (!key)
      throw new SealError('No ENCRYPTION_KEY fits a stored secret; was the old key removed too early?');
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key.secret, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)).toString('utf8') + decipher.final('utf8');
    } catch (error) {
      throw new SealError('A stored secret cannot be opened', { cause: error });
    }
  }

  /** The prefix of secrets sealed with the first key; others must be resealed. */
  get currentPrefix(): string {
    return `${this.keys[0].id}.`;
  }
}

/** ENCRYPTION_KEY may be any text; the key and its public id are derived from it by HKDF (RFC 5869). */
function derive(text: string): Key {
  const part = (info: string, length: number) => Buffer.from(hkdfSync('sha256', text, '', info, length));
  return { id: part('key id', 6).toString('base64url'), secret: part('secret box', 32) };
}
