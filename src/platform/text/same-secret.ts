import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in constant time, so that the duration does not reveal where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** timingSafeEqual requires buffers of the same length. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
