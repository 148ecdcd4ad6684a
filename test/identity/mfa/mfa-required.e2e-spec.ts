import type { Role } from '../../../src/platform/access/roles';
import type { Json } from '../../support/http/api';
import { expectStatus, login, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { codeOf, enrol, MFA_PATH, loginStateOf } from '../../support/contexts/mfa';
import {
  operationsOf,
  pathWithIds,
  type TenantRecords,
  createRecords,
} from '../../support/authorisation/route-walk';
import { rowsDigest } from '../../support/authorisation/rows-digest';
import { closingSockets } from '../../support/sockets/connect-sockets';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const ME = '/api/v1/users/me';
const SESSIONS = `${ME}/sessions`;
const ENROLMENT_REQUIRED = { code: 'mfa_enrolment_required' };
const ROLES: Role[] = ['attendant', 'supervisor', 'manager', 'owner'];

/** The routes for users who still have to enrol, except logout, which the test of all routes leaves out. */
const ALLOWED_ROUTES = [`GET ${ME}`, `POST ${MFA_PATH}`, `POST ${MFA_PATH}/confirm`];

let test: TestApp;
let tenant: TestTenant;
let resources: TenantRecords;
const { connect, open } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
  resources = await createRecords(tenant);
  await enrol(test, tenant.owner);
  await setMfaRequired(true);
});

afterAll(() => test.close());

const setMfaRequired = async (mfa_required: boolean) =>
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { mfa_required }), 200);

const connectError = async (token: string): Promise<Json> => {
  const socket = open(token);
  return new Promise<Json>((resolve) => socket.io.once('connect_error', resolve));
};

describe('where the tenant requires MFA, a user without it', () => {
  it('can log in and read their own account, and learns how to enrol', async () => {
    const member = await tenant.member();
    expect((await member.api.get(ME)).body.data).toMatchObject({ id: member.id, mfa_enabled: false });
    const response = await member.api.get(SESSIONS);
    expectFailure(response, 403, ENROLMENT_REQUIRED);
    expect(response.body.errors.detail).toContain('/api/v1/users/me/mfa');
  });

  it.each(ROLES)('is rejected on every other route, without an effect: %s', async (role) => {
    const member = await tenant.member(role);
    const before = await rowsDigest(test.db, tenant.id);
    const operations = (await operationsOf(test)).filter(({ isPublic }) => !isPublic);
    const unexpected: string[] = [];
    for (const operation of operations) {
      const { method, path, hasBody, example } = operation;
      const name = `${method} ${path}`;
      if (ALLOWED_ROUTES.includes(name)) continue;
      const body = hasBody ? { body: example } : {};
      const { status, body: answer } = await member.api.send(method, pathWithIds(operation, resources), body);
      // A response to HEAD has no body.
      const code = method === 'HEAD' ? ENROLMENT_REQUIRED.code : answer.errors?.code;
      if (status !== 403 || code !== ENROLMENT_REQUIRED.code) unexpected.push(`${name}: ${status}`);
    }
    expect(unexpected).toEqual([]);
    expect(operations.length).toBeGreaterThan(30);
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(ALLOWED_ROUTES),
    );
    expect(await rowsDigest(test.db, tenant.id)).toEqual(before);
  });

  it('can refresh and log out', async () => {
    const member = await tenant.member();
    const { refresh_token } = member;
    const refreshed = await test.api.post('/api/auth/refresh', { refresh_token });
    expectStatus(refreshed, 200);
    const api = test.api.as(refreshed.body.access_token);
    expectFailure(await api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    expectStatus(await api.post('/api/auth/logout', {}), 204);
    expect((await loginStateOf(test, member)).sessions).toBe(0);
  });

  it('cannot connect a socket', async () => {
    const { token } = await tenant.member();
    expect((await connectError(token)).data).toEqual({ ...ENROLMENT_REQUIRED, detail: expect.any(String) });
  });

  it('has full access immediately after enrolling, with the same token', async () => {
    const member = await tenant.member();
    expectFailure(await member.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    const { secret } = (await member.api.post(MFA_PATH)).body.data;
    expectFailure(await member.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    expectStatus(await member.api.post(`${MFA_PATH}/confirm`, { code: codeOf(test, secret) }), 200);
    expectStatus(await member.api.get(SESSIONS), 200);
    await connect(member.token);
  });

  it('has to enrol again after disabling MFA or after a reset', async () => {
    const member = await tenant.member();
    const app = await enrol(test, member);
    const socket = await connect(member.token);
    expectStatus(await member.api.delete(MFA_PATH, { body: { code: app.code() } }), 204);
    expectFailure(await member.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    await until(() => socket.io.disconnected);
    expect((await connectError(member.token)).data).toMatchObject(ENROLMENT_REQUIRED);
    await enrol(test, member);
    expectStatus(await member.api.get(SESSIONS), 200);
    expectStatus(await tenant.owner.api.delete(`/api/v1/users/${member.id}/mfa`), 204);
    const again = await login(test, tenant.slug, member.email);
    expectFailure(await again.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
  });

  it('does not restrict customers', async () => {
    const { link } = await tenant.queue();
    const { websocket_token } = await tenant.join(link);
    await connect(websocket_token);
  });
});

describe('mfa_required', () => {
  let member: Member;

  beforeEach(async () => {
    await setMfaRequired(false);
    member = await tenant.member('supervisor');
    expectStatus(await member.api.get(SESSIONS), 200);
  });

  afterEach(() => setMfaRequired(true));

  it('takes effect at once for open sessions and sockets, except those of users with MFA', async () => {
    const [socket, owner] = [await connect(member.token), await connect(tenant.owner.token)];
    await setMfaRequired(true);
    expectFailure(await member.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    await until(() => socket.io.disconnected);
    expectStatus(await tenant.owner.api.get(SESSIONS), 200);
    await owner.send('snapshot');
    expect(owner.io.connected).toBe(true);
    expect((await loginStateOf(test, member)).sessions).toBe(1);
  });

  it('takes effect within 5 s without a notification', async () => {
    const socket = await connect(member.token);
    await test.db.query('UPDATE tenants SET mfa_required = true WHERE id = $1', [tenant.id]);
    test.clock.advance(5.001);
    expectFailure(await member.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    await until(() => socket.io.disconnected);
  });

  it('has no effect as soon as it is disabled', async () => {
    await setMfaRequired(true);
    expectFailure(await member.api.get(SESSIONS), 403, ENROLMENT_REQUIRED);
    await setMfaRequired(false);
    expectStatus(await member.api.get(SESSIONS), 200);
    await connect(member.token);
  });

  it('affects only its own tenant', async () => {
    await setMfaRequired(true);
    const other = await TestTenant.register(test, 'free');
    expectStatus(await other.owner.api.get(SESSIONS), 200);
  });

  it('can be enabled by a user without MFA, who then has to enrol, too', async () => {
    const manager = await tenant.member('manager');
    expectStatus(await manager.api.put('/api/v1/tenant', { mfa_required: true }), 200);
    expectFailure(await manager.api.put('/api/v1/tenant', { mfa_required: false }), 403, ENROLMENT_REQUIRED);
  });
});
