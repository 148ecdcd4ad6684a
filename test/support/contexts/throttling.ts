import type { Answer } from '../http/api';
import { expectFailure } from '../database/failures';

/** The reference's own allowances; the proxy in front is this machine, so each test has addresses of its own. */
export const REFERENCE_LIMITS = {
  AUTH_RATE_LIMIT: '5',
  AUTH_ADDRESS_RATE_LIMIT: '30',
  PUBLIC_RATE_LIMIT: '30',
  API_RATE_LIMIT: '12',
  TRUST_PROXY: 'loopback',
};

let addresses = 0;
export const newAddress = () => `198.51.100.${++addresses}`;

/** A request that comes from this address, says the proxy. */
export const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** 429, with the seconds to wait. */
export function expectThrottled(answer: Answer, longest = 60): void {
  expectFailure(answer, 429, { code: 'rate_limited' });
  expect(Object.keys(answer.body.errors).sort()).toEqual(['code', 'detail']);
  const seconds = answer.headers.get('retry-after') ?? '';
  expect(seconds).toMatch(/^\d+$/);
  expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  expect(Number(seconds)).toBeLessThanOrEqual(longest);
}

/** Sends `allowed` requests that pass the throttle and one that does not. */
export async function expectAllowance(
  allowed: number,
  send: (n: number) => Promise<Answer>,
  longest = 60,
): Promise<void> {
  for (let n = 1; n <= allowed; n++) {
    const { status } = await send(n);
    expect({ n, throttled: status === 429 }).toEqual({ n, throttled: false });
  }
  expectThrottled(await send(allowed + 1), longest);
}
