import { createHash, randomBytes } from 'node:crypto';

/** A new token of 256 random bits, in base64url. */
export const newOpaqueToken = (): string => randomBytes(32).toString('base64url');

/**
 * The SHA-256 hash under which a token or code is stored, in hex. Hashing needs no salt and no work factor
 * here, since random values of this size cannot be guessed.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
