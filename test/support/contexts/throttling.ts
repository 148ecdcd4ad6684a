import type { Answer } from '../http/api';
import { expectFailure } from '../database/failures';

/** Low rate limits. Loopback is a trusted proxy, so that each test can use its own addresses. */
export const LOW_LIMITS = {
  AUTH_RATE_LIMIT: '5',
  AUTH_ADDRESS_RATE_LIMIT: '30',
  PUBLIC_RATE_LIMIT: '30',
  PAGE_RATE_LIMIT: '80',
  API_RATE_LIMIT: '12',
  TRUST_PROXY: 'loopback',
};

let addresses = 0;
/** A client address that no other test of the spec uses. */
export const newAddress = () => `198.51.100.${++addresses}`;

/** The request options that make the proxy report this client address. */
export const fromAddress = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Expects a 429 with a Retry-After of at most `maxSeconds` seconds. */
export function expectThrottled(answer: Answer, maxSeconds = 60): void {
  expectFailure(answer, 429, { code: 'rate_limited' });
  expect(Object.keys(answer.body.errors).sort()).toEqual(['code', 'detail']);
  const seconds = answer.headers.get('retry-after') ?? '';
  expect(seconds).toMatch(/^\d+$/);
  expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  expect(Number(seconds)).toBeLessThanOrEqual(maxSeconds);
}

/** Expects that `allowed` requests are not throttled and the next one is. */
export async function expectRateLimit(
  allowed: number,
  send: (n: number) => Promise<Answer>,
  maxSeconds = 60,
): Promise<void> {
  for (let n = 1; n <= allowed; n++) {
    const { status } = await send(n);
    expect({ n, throttled: status === 429 }).toEqual({ n, throttled: false });
  }
  expectThrottled(await send(allowed + 1), maxSeconds);
}
