import type { Answer } from '../../support/http/api';
import { expectStatus } from '../../support/builders';
import { startTestApp } from '../../support/test-app';
import { expectRateLimit, expectThrottled, fromAddress, LOW_LIMITS } from '../../support/contexts/throttling';

const LIMIT = 4;

type Send = (forwarded?: string) => Promise<Answer>;

/** Runs `check` with this TRUST_PROXY. Requests come from loopback, with X-Forwarded-For if given. */
async function withTrustProxy(TRUST_PROXY: string, check: (send: Send) => Promise<void>): Promise<void> {
  const env = { ...LOW_LIMITS, TRUST_PROXY, PUBLIC_RATE_LIMIT: String(LIMIT) };
  const test = await startTestApp({ env });
  try {
    await check((forwarded) =>
      test.api.get('/api/v1/call/turn-credentials', forwarded === undefined ? {} : fromAddress(forwarded)),
    );
  } finally {
    await test.close();
  }
}

describe('X-Forwarded-For', () => {
  it('is ignored without TRUST_PROXY', () =>
    withTrustProxy('', (send) => expectRateLimit(LIMIT, (n) => send(`198.51.100.${n}`))));

  it('is ignored when TRUST_PROXY does not include the peer', () =>
    withTrustProxy('192.0.2.1,2001:db8::/32', (send) =>
      expectRateLimit(LIMIT, (n) => send(`198.51.100.${n}`)),
    ));

  it.each(['1', 'loopback', '127.0.0.1', '127.0.0.0/8', '192.0.2.1, 127.0.0.1', '::ffff:127.0.0.1'])(
    'is used with TRUST_PROXY=%s, but only the address that the proxy saw',
    (proxies) =>
      withTrustProxy(proxies, async (send) => {
        await expectRateLimit(LIMIT, (n) => send(`203.0.113.${n}, 198.51.100.7`));
        expectStatus(await send('198.51.100.7, 198.51.100.8'), 200);
        expectStatus(await send(), 200);
      }),
  );

  it('is followed through the trusted number of hops', () =>
    withTrustProxy('2', async (send) => {
      await expectRateLimit(LIMIT, (n) => send(`203.0.113.${n}, 198.51.100.7, 192.0.2.${n}`));
      expectStatus(await send('203.0.113.1, 198.51.100.8, 192.0.2.1'), 200);
    }));

  it('is followed through trusted IPv4 and IPv6 networks', () =>
    withTrustProxy('loopback, 192.0.2.0/24, 2001:db8:ffff::/48', async (send) => {
      await expectRateLimit(LIMIT, (n) =>
        send(`203.0.113.${n}, 198.51.100.7, 192.0.2.${n}, 2001:db8:ffff::${n}`),
      );
      expectStatus(await send('203.0.113.1, 198.51.100.8, 2001:db8:ffff::1'), 200);
    }));

  it('counts all spellings of an address as one', () =>
    withTrustProxy('1', async (send) => {
      const spellings = ['', ':51234', ':51235', ':1'].map((port) => `198.51.100.7${port}`);
      await expectRateLimit(LIMIT, (n) => send(spellings[n - 1] ?? '::ffff:198.51.100.7'));
      expectThrottled(await send('[::ffff:c633:6407]:443'));
      expectStatus(await send('198.51.100.8:51234'), 200);
    }));

  it('counts an IPv6 network as one address, with and without a port', () =>
    withTrustProxy('1', async (send) => {
      const spellings = [
        '2001:db8:1:2::1',
        '[2001:db8:1:2::2]:51234',
        '2001:0DB8:1:2:ffff::',
        '[2001:db8:1:2::3]',
      ];
      await expectRateLimit(LIMIT, (n) => send(spellings[n - 1] ?? '2001:db8:1:2::ffff'));
      expectStatus(await send('2001:db8:1:3::1'), 200);
      expectStatus(await send('[2001:db8:1:4::1]:51234'), 200);
    }));

  it('without a valid address counts for the proxy that sent it', () =>
    withTrustProxy('1', (send) => expectRateLimit(LIMIT, (n) => send(n === 1 ? undefined : `unknown${n}`))));
});

it('Retry-After is the rest of the minute', () =>
  withTrustProxy('', async (send) => {
    for (let n = 0; n < LIMIT; n++) expectStatus(await send(), 200);
    const refused = await send();
    expectThrottled(refused);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  }));
