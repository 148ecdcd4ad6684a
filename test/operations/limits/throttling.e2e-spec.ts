import { Controller, Get, Module, Param, Post } from '@nestjs/common';
import { cnpj } from 'cpf-cnpj-validator';
import { Public } from '../../../src/platform/access/access.decorators';
import { RateLimiter } from '../../../src/platform/rate-limit/rate-limiter';
import { RateLimit } from '../../../src/platform/rate-limit/rate-limit.decorator';
import { RateLimitModule } from '../../../src/platform/rate-limit/rate-limit.module';
import { expectStatus, login, PASSWORD, someId } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { startTestApp, type TestApp } from '../../support/test-app';
import {
  expectRateLimit,
  expectThrottled,
  fromAddress,
  newAddress,
  LOW_LIMITS,
} from '../../support/contexts/throttling';

/** Consumes limits that tests cannot reach through the routes of the service. */
@Controller('probe')
@Public()
class ProbeController {
  constructor(private readonly rateLimiter: RateLimiter) {}

  @Get('picture')
  @RateLimit('asset')
  picture(): string {
    return 'a picture';
  }

  @Post('codes/:user/wrong')
  @RateLimit('none')
  async wrongCode(@Param('user') user: string): Promise<string> {
    await this.rateLimiter.consume('mfa', user);
    return 'wrong';
  }

  @Post('codes/:user/right')
  @RateLimit('none')
  async rightCode(@Param('user') user: string): Promise<string> {
    await this.rateLimiter.consume('mfa', user);
    await this.rateLimiter.reset('mfa', user);
    return 'right';
  }
}

@Module({ imports: [RateLimitModule], controllers: [ProbeController] })
class ProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: LOW_LIMITS, imports: [ProbeModule] });
});

afterAll(() => test.close());

const REFRESH = { refresh_token: 'x'.repeat(43) };

const tryLogin = (address: string, email: string, tenant = 'acme') =>
  test.api.post('/api/auth/login', { tenant, email, password: 'guess' }, fromAddress(address));

describe('authentication', () => {
  it('allows 5 logins per minute for an address and account', async () => {
    const address = newAddress();
    await expectRateLimit(5, () => tryLogin(address, 'ana@example.com'));
    expectFailure(await tryLogin(address, 'bia@example.com'), 401);
    expectFailure(await tryLogin(newAddress(), 'ana@example.com'), 401);
  });

  it('counts successful logins and rejects the correct password beyond the limit', async () => {
    const { slug, owner } = await registerTenant();
    const address = newAddress();
    const send = () =>
      test.api.post(
        '/api/auth/login',
        { tenant: slug, email: owner, password: PASSWORD },
        fromAddress(address),
      );
    for (let n = 0; n < 5; n++) expectStatus(await send(), 200);
    expectThrottled(await send());
  });

  it('allows 30 authentication requests per minute for an address across all accounts', async () => {
    const address = newAddress();
    await expectRateLimit(30, (n) => tryLogin(address, `user${n}@example.com`));
    expectThrottled(await test.api.post('/api/auth/refresh', REFRESH, fromAddress(address)));
  });

  it('does not count requests of a throttled account against other accounts at its address', async () => {
    const address = newAddress();
    for (let n = 0; n < 40; n++) await tryLogin(address, 'looping@example.com');
    expectFailure(await tryLogin(address, 'ana@example.com'), 401);
  });

  it('counts refreshes per address and login, so that colleagues behind one address do not share the limit', async () => {
    const address = newAddress();
    const refresh = (token: string) =>
      test.api.post('/api/auth/refresh', { refresh_token: token }, fromAddress(address));
    await expectRateLimit(5, () => refresh(REFRESH.refresh_token));
    for (let n = 0; n < 6; n++) expectFailure(await refresh(String(n).repeat(43)), 401);
    expectFailure(await tryLogin(address, 'ana@example.com'), 401);
    expectFailure(await test.api.post('/api/auth/refresh', REFRESH, fromAddress(newAddress())), 401);
  });

  it.each([
    ['mfa/verify', { mfa_token: 'x'.repeat(43), code: '123456' }],
    ['reset-password', { token: 'x'.repeat(43), password: PASSWORD }],
  ])('counts %s per address and route, whatever account the body names', async (route, body) => {
    const address = newAddress();
    await expectRateLimit(5, (n) =>
      test.api.post(
        `/api/auth/${route}`,
        { ...body, email: `user${n}@example.com`, tenant: `acme${n}` },
        fromAddress(address),
      ),
    );
  });

  it('counts forgot-password per address and account together with the login', async () => {
    const address = newAddress();
    const forgot = (email: string) =>
      test.api.post('/api/auth/forgot-password', { email, tenant: 'acme' }, fromAddress(address));
    await expectRateLimit(5, (n) =>
      n % 2 ? forgot('ana@example.com') : tryLogin(address, 'Ana@example.com'),
    );
    expectStatus(await forgot('bia@example.com'), 200);
  });
});

describe('public routes', () => {
  it('allow 30 requests per minute for an address, customer routes and signup together', async () => {
    const address = newAddress();
    await expectRateLimit(30, (n) => {
      if (n % 3 === 0) return test.api.get(`/api/v1/call/status/${someId()}`, fromAddress(address));
      if (n % 3 === 1) return test.api.get('/api/v1/call/unknown-token/validate', fromAddress(address));
      return test.api.post('/api/signup/register', {}, fromAddress(address));
    });
    expectStatus(await test.api.get('/api/v1/call/turn-credentials', fromAddress(newAddress())), 200);
    // The limits are independent of each other.
    expectFailure(await tryLogin(address, 'ana@example.com'), 401);
  });

  it('that serve pictures allow 600 requests per minute', async () => {
    const address = newAddress();
    await expectRateLimit(600, () => test.api.get('/probe/picture', fromAddress(address)));
    expectStatus(await test.api.get('/probe/picture', fromAddress(newAddress())), 200);
    expectStatus(await test.api.get('/api/v1/call/turn-credentials', fromAddress(address)), 200);
  });

  it('for the operator are never throttled', async () => {
    for (let n = 0; n < 40; n++) expectStatus(await test.api.get('/healthz'), 200);
  });
});

describe('the API', () => {
  it('counts per user across addresses and sessions', async () => {
    const { slug, owner } = await registerTenant();
    const one = await login(test, slug, owner);
    await expectRateLimit(12, () => one.api.get('/api/v1/users/me', fromAddress(newAddress())));
    expectThrottled(await one.api.get('/api/v1/departments', fromAddress(newAddress())));
    const again = await login(test, slug, owner);
    expectThrottled(await again.api.get('/api/v1/users/me'));
    const other = await registerTenant();
    const member = await login(test, other.slug, other.owner);
    expectStatus(await member.api.get('/api/v1/users/me'), 200);
  });

  it('counts requests without a valid token per address, and not against a user', async () => {
    const { slug, owner } = await registerTenant();
    const { api } = await login(test, slug, owner);
    const address = newAddress();
    await expectRateLimit(12, (n) => {
      if (n % 3 === 0) return test.api.get('/api/v1/calls', fromAddress(address));
      if (n % 3 === 1) return test.api.as('no.such.token').get('/api/v1/users/me', fromAddress(address));
      return test.api.as('x'.repeat(n)).post('/api/v1/departments', {}, fromAddress(address));
    });
    expectFailure(await test.api.get('/api/v1/calls', fromAddress(newAddress())), 401);
    for (let n = 0; n < 12; n++) expectStatus(await api.get('/api/v1/users/me', fromAddress(address)), 200);
    expectThrottled(await api.get('/api/v1/users/me', fromAddress(address)));
  });

  it('counts a token of an ended session per address', async () => {
    const { slug, owner } = await registerTenant();
    const { api } = await login(test, slug, owner);
    const address = newAddress();
    expectStatus(await api.post('/api/auth/logout', {}, fromAddress(address)), 204);
    await expectRateLimit(12, () => api.get('/api/v1/users/me', fromAddress(address)));
  });

  it('keeps the counters of addresses and users apart', async () => {
    const { slug, owner } = await registerTenant();
    const member = await login(test, slug, owner);
    await expectRateLimit(12, () => test.api.get('/api/v1/users/me', fromAddress(member.id)));
    expectStatus(await member.api.get('/api/v1/users/me', fromAddress(newAddress())), 200);
  });
});

const sendWrongCode = (user: string) => test.api.post(`/probe/codes/${user}/wrong`);

describe('attempts with second-factor codes', () => {
  it('are limited to 20 per hour for a user', async () => {
    const user = someId();
    await expectRateLimit(20, () => sendWrongCode(user), 3600);
    const refused = await sendWrongCode(user);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expectThrottled(await test.api.post(`/probe/codes/${user}/right`), 3600);
    expectStatus(await sendWrongCode(someId()), 201);
  });

  it('are limited to 20 when they are sent concurrently', async () => {
    const user = someId();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendWrongCode(user)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  it('are counted from zero after a correct code', async () => {
    const user = someId();
    for (let n = 0; n < 19; n++) expectStatus(await sendWrongCode(user), 201);
    expectStatus(await test.api.post(`/probe/codes/${user}/right`), 201);
    await expectRateLimit(20, () => sendWrongCode(user), 3600);
  });
});

async function registerTenant(): Promise<{ slug: string; owner: string }> {
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
    fromAddress(newAddress()),
  );
  expectStatus(answer, 201);
  return { slug: answer.body.data.tenant.slug, owner };
}
