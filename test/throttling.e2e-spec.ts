import { cnpj } from 'cpf-cnpj-validator';
import type { Answer } from './support/api';
import { expectStatus, login, PASSWORD, someId } from './support/builders';
import { expectFailure } from './support/failures';
import { startTestApp, type TestApp } from './support/test-app';

/** The reference's own allowances; the proxy in front is this machine, so each test has addresses of its own. */
const DEFAULTS = {
  AUTH_RATE_LIMIT: '5',
  AUTH_ADDRESS_RATE_LIMIT: '30',
  PUBLIC_RATE_LIMIT: '30',
  API_RATE_LIMIT: '12',
  TRUST_PROXY: 'loopback',
};

let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

function expectThrottled(answer: Answer): void {
  expectFailure(answer, 429, { code: 'rate_limited' });
  expect(Object.keys(answer.body.errors).sort()).toEqual(['code', 'detail']);
  const seconds = answer.headers.get('retry-after') ?? '';
  expect(seconds).toMatch(/^\d+$/);
  expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  expect(Number(seconds)).toBeLessThanOrEqual(60);
}

/** Sends `allowed` requests that pass the throttle and one that does not. */
async function expectAllowance(allowed: number, send: (n: number) => Promise<Answer>): Promise<void> {
  for (let n = 1; n <= allowed; n++) {
    const { status } = await send(n);
    expect({ n, throttled: status === 429 }).toEqual({ n, throttled: false });
  }
  expectThrottled(await send(allowed + 1));
}

describe('behind a trusted proxy', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: DEFAULTS });
  });

  afterAll(() => test.close());

  const tryLogin = (address: string, email: string, tenant = 'acme') =>
    test.api.post('/api/auth/login', { tenant, email, password: 'guess' }, from(address));

  it('lets 5 logins a minute through for an address and account', async () => {
    const address = newAddress();
    await expectAllowance(5, () => tryLogin(address, 'ana@example.com'));
    // However the account is written.
    expectThrottled(await tryLogin(address, ' ANA@example.com ', 'Acme'));
    expectFailure(await tryLogin(address, 'bia@example.com'), 401);
    expectFailure(await tryLogin(address, 'ana@example.com', 'other'), 401);
    expectFailure(await tryLogin(newAddress(), 'ana@example.com'), 401);
  });

  it('counts successful logins, too, and refuses the right password beyond the limit', async () => {
    const { slug, owner } = await registered();
    const address = newAddress();
    const send = () =>
      test.api.post('/api/auth/login', { tenant: slug, email: owner, password: PASSWORD }, from(address));
    for (let n = 0; n < 5; n++) expectStatus(await send(), 200);
    expectThrottled(await send());
  });

  it('lets 30 authentication requests a minute through for an address, whatever the account', async () => {
    const address = newAddress();
    await expectAllowance(30, (n) => tryLogin(address, `user${n}@example.com`));
    const refresh = { refresh_token: 'x'.repeat(43) };
    expectThrottled(await test.api.post('/api/auth/refresh', refresh, from(address)));
  });

  it('counts an endpoint that names no account for the address and route', async () => {
    const address = newAddress();
    await expectAllowance(5, () =>
      test.api.post('/api/auth/refresh', { refresh_token: 'x'.repeat(43) }, from(address)),
    );
    expectFailure(await tryLogin(address, 'ana@example.com'), 401);
  });

  it('lets 30 public requests a minute through for an address, customers and signup together', async () => {
    const address = newAddress();
    await expectAllowance(30, (n) => {
      if (n % 3 === 0) return test.api.get(`/api/v1/call/status/${someId()}`, from(address));
      if (n % 3 === 1) return test.api.get('/api/v1/call/unknown-token/validate', from(address));
      return test.api.post('/api/signup/register', {}, from(address));
    });
    expectStatus(await test.api.get('/api/v1/call/turn-credentials', from(newAddress())), 200);
    // The limits do not eat into each other.
    expectFailure(await tryLogin(address, 'ana@example.com'), 401);
  });

  it('counts one IPv6 network as one address', async () => {
    await expectAllowance(30, (n) =>
      test.api.get('/api/v1/call/turn-credentials', from(`2001:db8:1:2::${n.toString(16)}`)),
    );
    expectStatus(await test.api.get('/api/v1/call/turn-credentials', from('2001:db8:1:3::1')), 200);
  });

  it('counts the API for each user, wherever they are', async () => {
    const { slug, owner } = await registered();
    const one = await login(test, slug, owner);
    await expectAllowance(12, () => one.api.get('/api/v1/users/me', from(newAddress())));
    expectThrottled(await one.api.get('/api/v1/departments', from(newAddress())));
    const again = await login(test, slug, owner);
    expectThrottled(await again.api.get('/api/v1/users/me'));
    const other = await registered();
    const member = await login(test, other.slug, other.owner);
    expectStatus(await member.api.get('/api/v1/users/me'), 200);
  });

  it("never throttles the operator's routes", async () => {
    for (let n = 0; n < 40; n++) expectStatus(await test.api.get('/healthz'), 200);
  });

  async function registered(): Promise<{ slug: string; owner: string }> {
    const owner = `owner@${newAddress()}.example.com`;
    const answer = await test.api.post(
      '/api/signup/register',
      {
        company_name: 'Acme',
        document: cnpj.generate(),
        document_type: 'cnpj',
        admin_name: 'Olga',
        admin_email: owner,
        admin_password: PASSWORD,
        plan: 'free',
      },
      from(newAddress()),
    );
    expectStatus(answer, 201);
    return { slug: answer.body.data.tenant.slug, owner };
  }
});

it('X-Forwarded-For is believed of no one else', async () => {
  const test = await startTestApp({ env: { ...DEFAULTS, TRUST_PROXY: '', PUBLIC_RATE_LIMIT: '4' } });
  try {
    await expectAllowance(4, () => test.api.get('/api/v1/call/turn-credentials', from(newAddress())));
  } finally {
    await test.close();
  }
});

it('of a chain of addresses the last that the proxy saw counts', async () => {
  const test = await startTestApp({ env: { ...DEFAULTS, TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: '4' } });
  try {
    const address = newAddress();
    await expectAllowance(4, (n) =>
      test.api.get('/api/v1/call/turn-credentials', from(`203.0.113.${n}, ${address}`)),
    );
  } finally {
    await test.close();
  }
});

it('Retry-After tells the rest of the minute', async () => {
  const test = await startTestApp({ env: { ...DEFAULTS, PUBLIC_RATE_LIMIT: '1' } });
  try {
    expectStatus(await test.api.get('/api/v1/call/turn-credentials'), 200);
    const refused = await test.api.get('/api/v1/call/turn-credentials');
    expectThrottled(refused);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  } finally {
    await test.close();
  }
});
