import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal, in a time that tells nothing of where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** Digests are of one length, which timingSafeEqual demands. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
