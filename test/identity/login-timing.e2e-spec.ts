import { expectStatus, TestTenant } from '../support/builders';
import type { Answer } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

const TIMES = 15;

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Median times in milliseconds of requests that take turns, so that whatever disturbs one disturbs all. */
async function medians(requests: (() => Promise<Answer>)[], status: number): Promise<number[]> {
  const times = requests.map((): number[] => []);
  // The first round only warms up.
  for (let round = 0; round <= TIMES; round++) {
    for (const [index, request] of requests.entries()) {
      const start = performance.now();
      expectStatus(await request(), status);
      if (round > 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

async function jobsOf({ db }: TestApp): Promise<number> {
  const { rows } = await db.query(`SELECT FROM pgboss.job WHERE name = 'mail-password-reset'`);
  return rows.length;
}

describe('how long an answer takes tells nothing about whom we know', () => {
  let test: TestApp;
  let known: TestTenant;

  beforeAll(async () => {
    test = await startTestApp();
    known = await TestTenant.register(test, 'free');
  });

  afterAll(() => test.close());

  const whom = (): { tenant: string; email: string }[] => [
    { tenant: known.slug, email: known.owner.email },
    { tenant: known.slug, email: 'nobody@example.com' },
    { tenant: 'nowhere', email: known.owner.email },
  ];

  it.each([
    ['login', { password: 'a wrong passphrase' }, 401],
    ['forgot-password', {}, 200],
  ])('%s', async (route, rest, status) => {
    const send = (account: object) => () => test.api.post(`/api/auth/${route}`, { ...account, ...rest });
    const [somebody = 0, ...others] = await medians(whom().map(send), status);
    for (const nobody of others) {
      expect(nobody / somebody).toBeGreaterThan(0.5);
      expect(nobody / somebody).toBeLessThan(2);
    }
  });

  it('and asking for a new password leaves as much work for later', async () => {
    for (const account of whom()) {
      const before = await jobsOf(test);
      expectStatus(await test.api.post('/api/auth/forgot-password', account), 200);
      expect({ account, jobs: await jobsOf(test) }).toEqual({ account, jobs: before + 1 });
    }
  });
});
