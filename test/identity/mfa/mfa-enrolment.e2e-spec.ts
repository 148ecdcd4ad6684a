import { toDataURL } from 'qrcode';
import { expectStatus, login, type Member, PASSWORD, TestTenant } from '../../support/builders';
import { expectThrottled } from '../../support/contexts/throttling';
import { expectFailure } from '../../support/database/failures';
import {
  type Authenticator,
  requestMfaToken,
  codeOf,
  enrol,
  enrolledMember,
  logIn,
  MFA_PATH,
  advanceSteps,
  countByStatus,
  currentStep,
  loginStateOf,
  verify,
  wrongCode,
} from '../../support/contexts/mfa';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

const CONFIRM = `${MFA_PATH}/confirm`;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

let test: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

const proposeSecret = async ({ api }: Member): Promise<string> => {
  const answer = await api.post(MFA_PATH);
  expectStatus(answer, 200);
  return answer.body.data.secret;
};

const isMfaEnabled = async ({ api }: Member): Promise<boolean> =>
  (await api.get('/api/v1/users/me')).body.data.mfa_enabled;

describe('enrolling', () => {
  it('returns a secret, its otpauth URL and a QR code of it', async () => {
    const member = await tenant.member();
    const answer = await member.api.post(MFA_PATH);
    expect(answer.status).toBe(200);
    const { secret, otpauth_url, qr_code } = answer.body.data;
    expect(Object.keys(answer.body.data).sort()).toEqual(['otpauth_url', 'qr_code', 'secret']);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauth_url);
    expect(`${url.protocol}//${url.host}`).toBe('otpauth://totp');
    expect(decodeURIComponent(url.pathname)).toBe(`/${tenant.name}:${member.email}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({ secret, issuer: tenant.name });
    const [type, picture = ''] = qr_code.split(',');
    expect(type).toBe('data:image/png;base64');
    const bytes = Buffer.from(picture, 'base64');
    expect(bytes.subarray(0, 8)).toEqual(PNG_SIGNATURE);
    // The first chunk contains width and height.
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(100);
    expect(bytes.readUInt32BE(20)).toBe(bytes.readUInt32BE(16));
    expect(qr_code).toBe(await toDataURL(otpauth_url));
  });

  it('returns a QR code even for the longest tenant name', async () => {
    const longNamedTenant = await TestTenant.register(test, 'free');
    await test.db.query('UPDATE tenants SET name = $2 WHERE id = $1', [longNamedTenant.id, '公'.repeat(255)]);
    expectStatus(await longNamedTenant.owner.api.post(MFA_PATH), 200);
  });

  it('changes nothing before it is confirmed, and only the newest secret is valid', async () => {
    const member = await tenant.member();
    const first = await proposeSecret(member);
    const second = await proposeSecret(member);
    expect(second).not.toBe(first);
    expect(await loginStateOf(test, member)).toMatchObject({
      mfa_enabled: false,
      mfa_last_step: null,
      codes: 0,
    });
    expect((await logIn(test, tenant, member)).body).toHaveProperty('access_token');
    expectFailure(await member.api.post(CONFIRM, { code: codeOf(test, first) }), 422, { field: 'code' });
    expect(await isMfaEnabled(member)).toBe(false);
    expectStatus(await member.api.post(CONFIRM, { code: codeOf(test, second) }), 200);
    expect(await isMfaEnabled(member)).toBe(true);
  });

  it('is confirmed once and returns ten recovery codes, even for eight concurrent requests', async () => {
    const member = await tenant.member();
    const code = codeOf(test, await proposeSecret(member));
    const answers = await Promise.all(Array.from({ length: 8 }, () => member.api.post(CONFIRM, { code })));
    expect(countByStatus(answers)).toEqual({ 200: 1, 422: 7 });
    const { recovery_codes } = answers.find(({ status }) => status === 200)?.body.data ?? {};
    expect(new Set(recovery_codes).size).toBe(10);
    const stored = await loginStateOf(test, member);
    expect(stored).toMatchObject({ mfa_enabled: true, codes: 10, used_codes: 0 });
    expect(Math.abs(Number(stored.mfa_last_step) - currentStep(test))).toBeLessThanOrEqual(1);
  });

  it('is rejected while MFA is enabled, and so is the confirmation', async () => {
    const { member, app } = await enrolledMember(test, tenant);
    const before = await loginStateOf(test, member);
    expectFailure(await member.api.post(MFA_PATH), 422, { code: 'mfa_enabled' });
    expectFailure(await member.api.post(CONFIRM, { code: app.code() }), 422, { code: 'mfa_enabled' });
    expect(await loginStateOf(test, member)).toEqual(before);
  });

  it('cannot be confirmed without a secret or with a code that is wrong or outside the time window', async () => {
    const member = await tenant.member();
    expectFailure(await member.api.post(CONFIRM, { code: '123456' }), 422, { field: 'code' });
    const secret = await proposeSecret(member);
    advanceSteps(test);
    for (const code of [wrongCode(test, secret), codeOf(test, secret, -2), codeOf(test, secret, 2)]) {
      expectFailure(await member.api.post(CONFIRM, { code }), 422, {
        code: 'validation_failed',
        field: 'code',
      });
    }
    expect(await loginStateOf(test, member)).toMatchObject({ mfa_enabled: false, codes: 0 });
  });

  describe('with a login older than 10 minutes', () => {
    let member: Member;

    beforeEach(async () => {
      member = await tenant.member();
      test.clock.advance(601);
    });

    it('needs the password or another login', async () => {
      const required = { code: 'reauthentication_required' };
      expectFailure(await member.api.post(MFA_PATH), 403, required);
      expectFailure(await member.api.post(MFA_PATH, { password: null }), 403, required);
      expectFailure(await member.api.post(MFA_PATH, { password: `${PASSWORD}!` }), 422, {
        field: 'password',
      });
      expect((await loginStateOf(test, member)).mfa_secret).toBeNull();
      expectStatus(await member.api.post(MFA_PATH, { password: PASSWORD }), 200);
      const { api } = await login(test, tenant.slug, member.email);
      expectStatus(await api.post(MFA_PATH), 200);
    });

    it('does not become recent by refreshing', async () => {
      const refreshed = await test.api.post('/api/auth/refresh', { refresh_token: member.refresh_token });
      expectStatus(refreshed, 200);
      expectFailure(await test.api.as(refreshed.body.access_token).post(MFA_PATH), 403);
    });

    it('allows twenty wrong passwords an hour', async () => {
      for (let n = 0; n < 20; n++) {
        expectFailure(await member.api.post(MFA_PATH, { password: `guess ${n}` }), 422, {
          field: 'password',
        });
      }
      expectThrottled(await member.api.post(MFA_PATH, { password: PASSWORD }), 3600);
    });
  });

  it('requires an access token', async () => {
    expectFailure(await test.api.post(MFA_PATH), 401);
    expectFailure(await test.api.post(CONFIRM, { code: '123456' }), 401);
    expectFailure(await test.api.delete(MFA_PATH, { body: { code: '123456' } }), 401);
  });
});

describe('disabling MFA', () => {
  let member: Member;
  let app: Authenticator;

  beforeEach(async () => ({ member, app } = await enrolledMember(test, tenant)));

  const disableMfa = (code: unknown) => member.api.delete(MFA_PATH, { body: { code } });
  const noMfa = { mfa_enabled: false, mfa_secret: null, mfa_last_step: null, codes: 0, attempts: [] };

  it.each([
    ['a code of the app', () => app.code()],
    ['a recovery code', () => app.recovery_codes[3]],
  ])('accepts %s, deletes all MFA data and restores the login by password', async (_what, code) => {
    await logIn(test, tenant, member);
    const answer = await disableMfa(code());
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
    expect(await loginStateOf(test, member)).toMatchObject({ ...noMfa, sessions: 1 });
    expect((await logIn(test, tenant, member)).body).toHaveProperty('access_token');
    expectFailure(await disableMfa(app.code()), 422, { code: 'mfa_disabled' });
  });

  it('succeeds once when it and eight logins use the same recovery code at once', async () => {
    const code = app.recovery_codes[0];
    const tokens = await Promise.all(Array.from({ length: 8 }, () => requestMfaToken(test, tenant, member)));
    const [disabled, ...logins] = await Promise.all([
      disableMfa(code),
      ...tokens.map((token) => verify(test, token, code)),
    ]);
    const opened = logins.filter(({ status }) => status === 200).length;
    expect(opened + (disabled.status === 204 ? 1 : 0)).toBe(1);
    expect(await loginStateOf(test, member)).toMatchObject({
      mfa_enabled: disabled.status !== 204,
      sessions: 1 + opened,
      used_codes: opened,
    });
  });

  it('is rejected with a wrong or used code', async () => {
    const before = await loginStateOf(test, member);
    for (const code of [app.wrongCode(), app.code(-1), 'aaaa-bbbb-cccc-dddd']) {
      expectFailure(await disableMfa(code), 422, { code: 'validation_failed', field: 'code' });
    }
    expect(await loginStateOf(test, member)).toEqual(before);
  });

  it('and enrolling again creates a new secret and new recovery codes', async () => {
    expectStatus(await disableMfa(app.code()), 204);
    const again = await enrol(test, member);
    expect(again.secret).not.toBe(app.secret);
    expect(again.recovery_codes.filter((code) => app.recovery_codes.includes(code))).toEqual([]);
    expectFailure(await disableMfa(app.recovery_codes[0]), 422, { field: 'code' });
    expect(await loginStateOf(test, member)).toMatchObject({ mfa_enabled: true, codes: 10, used_codes: 0 });
  });
});

describe('invalid bodies', () => {
  it.each([
    ['nothing', undefined],
    ['no code', {}],
    ['an empty one', { code: '  ' }],
    ['null', { code: null }],
    ['a number', { code: 123456 }],
    ['a list', { code: ['123456'] }],
    ['an object', { code: { $ne: '' } }],
    ['too long a one', { code: '1'.repeat(65) }],
    ['one with NUL', { code: '12345\u00006' }],
  ])('are rejected with 422: %s', async (_what, body) => {
    const { api } = tenant.owner;
    expectFailure(await api.post(CONFIRM, body), 422, { field: 'code' });
    expectFailure(await api.delete(MFA_PATH, { body }), 422, { field: 'code' });
    const rest = { mfa_token: 'x'.repeat(43), ...body };
    expectFailure(await test.api.post('/api/auth/mfa/verify', rest), 422, { field: 'code' });
  });
});
