import { CredentialPurge } from '../../src/identity/credential-purge';
import type { Answer } from '../support/http/api';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../support/builders';
import { countByStatus } from '../support/contexts/mfa';
import { passwordToken } from '../support/contexts/password-token';
import { expectThrottled, fromAddress } from '../support/contexts/throttling';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

const MAX_DELAY_SECONDS = 900;
const DAY_SECONDS = 86_400;
/** Wrong passwords without a delay. */
const FREE = 20;

let test: TestApp;
let tenant: TestTenant;
let member: Member;
let addresses = 0;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  tenant = await TestTenant.register(test);
});

beforeEach(async () => {
  member = await tenant.member();
  // The first delay is one second, and the tests decide when it has passed.
  test.clock.stop();
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const newAddress = () => `203.0.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;

interface Attempt {
  email?: string;
  password?: string;
  tenant?: string;
  address?: string;
}

/** Logs in from an address that no other attempt uses, by default with a wrong password. */
const attempt = ({ address = newAddress(), ...input }: Attempt = {}): Promise<Answer> =>
  test.api.post(
    '/api/auth/login',
    { tenant: tenant.slug, email: member.email, password: 'a wrong passphrase', ...input },
    fromAddress(address),
  );

const reset = (token: string, password: string, address: string): Promise<Answer> =>
  test.api.post('/api/auth/reset-password', { token, password }, fromAddress(address));

async function fail(times: number, input: Attempt = {}): Promise<void> {
  for (let n = 0; n < times; n++) expectFailure(await attempt(input), 401, { code: 'invalid_credentials' });
}

describe('after repeated wrong passwords from many addresses', () => {
  it('an account is delayed: of a hundred attempts few are verified', async () => {
    const answers: Answer[] = [];
    for (let n = 0; n < 100; n++) answers.push(await attempt());
    const { 401: verified = 0, 429: delayed = 0 } = countByStatus(answers);
    expect(verified + delayed).toBe(100);
    expect(verified).toBeGreaterThanOrEqual(FREE);
    expect(verified).toBeLessThan(FREE + 10);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expectThrottled(answer, MAX_DELAY_SECONDS);
    }
  });

  it('at most twenty of a hundred simultaneous attempts are verified', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => attempt()));
    expect(countByStatus(answers)).toEqual({ 401: FREE, 429: 100 - FREE });
  });

  it('the right password is delayed as well, and accepted after the delay', async () => {
    await fail(FREE);
    const delayed = await attempt({ password: PASSWORD });
    expectThrottled(delayed, 1);
    test.clock.advance(1.5);
    expectStatus(await attempt({ password: PASSWORD }), 200);
  });

  it('delays double from one second to 15 minutes', async () => {
    await fail(FREE);
    const delays: number[] = [];
    for (let n = 0; n < 12; n++) {
      const seconds = Number((await attempt()).headers.get('retry-after'));
      delays.push(seconds);
      test.clock.advance(seconds);
      await fail(1);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('spellings of the e-mail and the name of the tenant are delayed, other accounts are not', async () => {
    await fail(FREE);
    expectThrottled(await attempt({ email: member.email.toUpperCase() }), 1);
    expectThrottled(await attempt({ tenant: tenant.name }), 1);
    expectStatus(await attempt({ email: tenant.owner.email, password: PASSWORD }), 200);
  });

  it('e-mails without an account are delayed alike', async () => {
    const email = `nobody${addresses}@example.com`;
    await fail(FREE, { email });
    expectThrottled(await attempt({ email }), 1);
  });

  it('an attempt with the right password neither counts nor resets the count', async () => {
    await fail(FREE - 1);
    for (let n = 0; n < 3; n++) expectStatus(await attempt({ password: PASSWORD }), 200);
    await fail(1);
    expectThrottled(await attempt(), 1);
  });

  it('the count is forgotten a day after the last wrong password, and then deleted', async () => {
    await fail(FREE);
    test.clock.advance(DAY_SECONDS + 1);
    await fail(FREE);
    expectThrottled(await attempt(), 1);
    const rows = async () => (await test.db.query('SELECT FROM login_delays')).rowCount;
    await test.get(CredentialPurge).run();
    expect(await rows()).toBeGreaterThan(0);
    test.clock.advance(DAY_SECONDS + 1);
    await test.get(CredentialPurge).run();
    expect(await rows()).toBe(0);
  });
});

describe('logins with the right password', () => {
  it('of one account succeed at the same time, each at an address of its own', async () => {
    for (let round = 0; round < 5; round++) {
      const logins = Array.from({ length: FREE - 1 }, () => attempt({ password: PASSWORD }));
      expect(countByStatus(await Promise.all(logins))).toEqual({ 200: FREE - 1 });
    }
  });

  it('succeed after one at an instance whose clock is ahead', async () => {
    test.clock.advance(60);
    expectStatus(await attempt({ password: PASSWORD }), 200);
    await fail(1);
    test.clock.advance(-60);
    expectStatus(await attempt({ password: PASSWORD }), 200);
  });
});

it.each(['a reset link', 'an invitation'])(
  'a password chosen by %s makes the address known',
  async (link) => {
    const { id, email } = member;
    if (link === 'an invitation')
      await test.db.query('UPDATE users SET password_hash = NULL WHERE id = $1', [id]);
    await fail(FREE, { email });
    for (const seconds of [1, 2, 4, 8, 16, 32]) {
      test.clock.advance(seconds);
      await fail(1, { email });
    }
    const [address, password] = [newAddress(), 'a password of their own'];
    const token = await passwordToken(test, tenant, member);
    expectFailure(await reset('not a token', password, address), 422, { code: 'invalid_token' });
    expectThrottled(await attempt({ password, address }), 64);
    expectStatus(await reset(token, password, address), 200);
    expectStatus(await attempt({ password, address }), 200);
    expectThrottled(await attempt({ password }), 64);
  },
);

describe('an address from which the user has logged in', () => {
  let home: string;

  beforeEach(async () => {
    home = newAddress();
    expectStatus(await attempt({ address: home, password: PASSWORD }), 200);
  });

  it('is not delayed for 30 days', async () => {
    await fail(FREE);
    expectThrottled(await attempt({ password: PASSWORD }), 1);
    await fail(3, { address: home });
    expectStatus(await attempt({ address: home, password: PASSWORD }), 200);
    test.clock.advance(30 * DAY_SECONDS - 60);
    await fail(FREE);
    expectStatus(await attempt({ address: home, password: PASSWORD }), 200);
    test.clock.advance(30 * DAY_SECONDS + 60);
    await fail(FREE);
    expectThrottled(await attempt({ address: home, password: PASSWORD }), 1);
  });

  it('is delayed for other accounts', async () => {
    const other = await tenant.member();
    await fail(FREE, { email: other.email });
    expectThrottled(await attempt({ email: other.email, address: home, password: PASSWORD }), 1);
  });

  it('is not known to an account of the same e-mail at another company of that name', async () => {
    const stranger = await TestTenant.register(test);
    await test.db.query('UPDATE tenants SET name = $2 WHERE id = $1', [stranger.id, tenant.name]);
    const password = 'the passphrase of a stranger';
    const input = { name: 'Eve', email: member.email, role: 'attendant', password };
    expectStatus(await stranger.owner.api.post('/api/v1/users', input), 201);
    const address = newAddress();
    expectStatus(await attempt({ tenant: stranger.slug, address, password }), 200);
    await fail(FREE);
    const guess = { tenant: tenant.name, address };
    expectFailure(await attempt({ ...guess, password: PASSWORD }), 401);
    expectStatus(await attempt({ ...guess, password }), 200);
    expectStatus(await attempt({ ...guess, address: home, password: PASSWORD }), 200);
  });

  it('is deleted when it is no longer known', async () => {
    const known = async () =>
      (await test.db.query('SELECT address FROM login_addresses WHERE user_id = $1', [member.id])).rows;
    expect(await known()).toEqual(expect.arrayContaining([{ address: home }]));
    test.clock.advance(30 * DAY_SECONDS + 60);
    await login(test, tenant.slug, member.email);
    await test.get(CredentialPurge).run();
    expect(await known()).not.toEqual(expect.arrayContaining([{ address: home }]));
    expect(await known()).toHaveLength(1);
  });
});
