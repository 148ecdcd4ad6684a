import { createHash } from 'node:crypto';
import { newLinkToken } from '../../platform/text/link-token';

/** A new token of 256 random bits; some are parts of links. */
export const newOpaqueToken = (): string => newLinkToken(32);

/**
 * The SHA-256 hash under which a token or code is stored, in hex. Hashing needs no salt and no work factor
 * here, since random values of this size cannot be guessed.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
