import { expectStatus, TestTenant } from '../support/builders';
import type { Answer } from '../support/http/api';
import { fromAddress } from '../support/contexts/throttling';
import { startTestApp, type TestApp } from '../support/test-app';

const SAMPLES = 15;

/** Longer than any delay of an account after wrong passwords. */
const MAX_DELAY_SECONDS = 900;

/**
 * The shortest times in milliseconds of requests sent in turns: what they cost, since a busy machine only makes them take
 * longer.
 */
async function shortestTimes(
  { clock }: TestApp,
  requests: (() => Promise<Answer>)[],
  status: number,
): Promise<number[]> {
  const times = requests.map((): number[] => []);
  // The first round only warms up.
  for (let round = 0; round <= SAMPLES; round++) {
    for (const [index, request] of requests.entries()) {
      clock.advance(MAX_DELAY_SECONDS);
      const start = performance.now();
      expectStatus(await request(), status);
      if (round > 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map((measured) => Math.min(...measured));
}

async function jobsOf({ db }: TestApp): Promise<number> {
  const { rows } = await db.query(`SELECT FROM pgboss.job WHERE name = 'mail-password-reset'`);
  return rows.length;
}

describe('response times do not reveal which accounts exist', () => {
  let test: TestApp;
  let knownTenant: TestTenant;

  beforeAll(async () => {
    test = await startTestApp({ asInProduction: true, env: { TRUST_PROXY: 'loopback' } });
    knownTenant = await TestTenant.register(test, 'free');
  });

  afterAll(() => test.close());

  const accounts = (): { tenant: string; email: string }[] => [
    { tenant: knownTenant.slug, email: knownTenant.owner.email },
    { tenant: knownTenant.slug, email: 'nobody@example.com' },
    { tenant: 'nowhere', email: knownTenant.owner.email },
  ];

  it.each([
    ['login', { password: 'a wrong passphrase' }, 401],
    ['forgot-password', {}, 200],
  ])('for %s, from an address without logins', async (route, rest, status) => {
    const send = (account: object) => () =>
      test.api.post(`/api/auth/${route}`, { ...account, ...rest }, fromAddress('198.51.100.1'));
    const [knownMs = 0, ...others] = await shortestTimes(test, accounts().map(send), status);
    for (const unknownMs of others) {
      expect(unknownMs / knownMs).toBeGreaterThan(0.5);
      expect(unknownMs / knownMs).toBeLessThan(2);
    }
  });

  it('and passwords are hashed at the cost that OWASP recommends', async () => {
    const { rows } = await test.db.query('SELECT password_hash FROM users WHERE id = $1', [
      knownTenant.owner.id,
    ]);
    expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
  });

  it('and forgot-password queues one job for known and unknown accounts', async () => {
    for (const account of accounts()) {
      const before = await jobsOf(test);
      expectStatus(await test.api.post('/api/auth/forgot-password', account), 200);
      expect({ account, jobs: await jobsOf(test) }).toEqual({ account, jobs: before + 1 });
    }
  });
});
