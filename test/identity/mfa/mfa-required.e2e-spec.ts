import type { Role } from '../../../src/platform/access/roles';
import type { Json } from '../../support/http/api';
import { expectStatus, login, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { codeOf, enrol, MFA, storedOf } from '../../support/contexts/mfa';
import { operationsOf, realPath, type Things, thingsOf } from '../../support/authorisation/route-walk';
import { rowsDigest } from '../../support/authorisation/rows-digest';
import { closingSockets } from '../../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const ME = '/api/v1/users/me';
const SESSIONS = `${ME}/sessions`;
const MUST_ENROL = { code: 'mfa_enrolment_required' };
const ROLES: Role[] = ['attendant', 'supervisor', 'manager', 'owner'];

/** What somebody may do who has yet to enrol; logging out is not part of the walk. */
const OPEN = [`GET ${ME}`, `POST ${MFA}`, `POST ${MFA}/confirm`];

let test: TestApp;
let tenant: TestTenant;
let things: Things;
const { connect, open } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp();
  tenant = await TestTenant.register(test);
  things = await thingsOf(tenant);
  await enrol(test, tenant.owner);
  await demand(true);
});

afterAll(() => test.close());

const demand = async (mfa_required: boolean) =>
  expectStatus(await tenant.owner.api.put('/api/v1/tenant', { mfa_required }), 200);

const refusalOf = async (token: string): Promise<Json> => {
  const socket = open(token);
  return new Promise<Json>((resolve) => socket.io.once('connect_error', resolve));
};

describe('where the company demands MFA, somebody without', () => {
  it('logs in as ever, sees themselves, and is told what to do', async () => {
    const member = await tenant.member();
    expect((await member.api.get(ME)).body.data).toMatchObject({ id: member.id, mfa_enabled: false });
    const refused = await member.api.get(SESSIONS);
    expectFailure(refused, 403, MUST_ENROL);
    expect(refused.body.errors.detail).toContain('/api/v1/users/me/mfa');
  });

  it.each(ROLES)('is refused every other route, and nothing happens: %s', async (role) => {
    const member = await tenant.member(role);
    const before = await rowsDigest(test.db, tenant.id);
    const operations = (await operationsOf(test)).filter(({ isPublic }) => !isPublic);
    const passed: string[] = [];
    for (const operation of operations) {
      const { method, path, hasBody, example } = operation;
      const name = `${method} ${path}`;
      if (OPEN.includes(name)) continue;
      const body = hasBody ? { body: example } : {};
      const { status, body: answer } = await member.api.send(method, realPath(operation, things), body);
      // The answer to HEAD has no body.
      const code = method === 'HEAD' ? MUST_ENROL.code : answer.errors?.code;
      if (status !== 403 || code !== MUST_ENROL.code) passed.push(`${name}: ${status}`);
    }
    expect(passed).toEqual([]);
    expect(operations.length).toBeGreaterThan(30);
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(expect.arrayContaining(OPEN));
    expect(await rowsDigest(test.db, tenant.id)).toEqual(before);
  });

  it('may refresh and log out', async () => {
    const member = await tenant.member();
    const { refresh_token } = member;
    const refreshed = await test.api.post('/api/auth/refresh', { refresh_token });
    expectStatus(refreshed, 200);
    const api = test.api.as(refreshed.body.access_token);
    expectFailure(await api.get(SESSIONS), 403, MUST_ENROL);
    expectStatus(await api.post('/api/auth/logout', {}), 204);
    expect((await storedOf(test, member)).sessions).toBe(0);
  });

  it('is refused by the socket', async () => {
    const { token } = await tenant.member();
    expect((await refusalOf(token)).data).toEqual({ ...MUST_ENROL, detail: expect.any(String) });
  });

  it('can do everything once they have enrolled, at once and with the same token', async () => {
    const member = await tenant.member();
    expectFailure(await member.api.get(SESSIONS), 403, MUST_ENROL);
    const { secret } = (await member.api.post(MFA)).body.data;
    expectFailure(await member.api.get(SESSIONS), 403, MUST_ENROL);
    expectStatus(await member.api.post(`${MFA}/confirm`, { code: codeOf(test, secret) }), 200);
    expectStatus(await member.api.get(SESSIONS), 200);
    await connect(member.token);
  });

  it('is back where they were after turning it off, or after it was taken from them', async () => {
    const member = await tenant.member();
    const app = await enrol(test, member);
    const socket = await connect(member.token);
    expectStatus(await member.api.delete(MFA, { body: { code: app.code() } }), 204);
    expectFailure(await member.api.get(SESSIONS), 403, MUST_ENROL);
    await until(() => socket.io.disconnected);
    expect((await refusalOf(member.token)).data).toMatchObject(MUST_ENROL);
    await enrol(test, member);
    expectStatus(await member.api.get(SESSIONS), 200);
    expectStatus(await tenant.owner.api.delete(`/api/v1/users/${member.id}/mfa`), 204);
    const again = await login(test, tenant.slug, member.email);
    expectFailure(await again.api.get(SESSIONS), 403, MUST_ENROL);
  });

  it('and customers are not affected', async () => {
    const { link } = await tenant.queue();
    const { websocket_token } = await tenant.join(link);
    await connect(websocket_token);
  });
});

describe('the demand', () => {
  let member: Member;

  beforeEach(async () => {
    await demand(false);
    member = await tenant.member('supervisor');
    expectStatus(await member.api.get(SESSIONS), 200);
  });

  afterEach(() => demand(true));

  it('counts at once for sessions and sockets that are open, and not for those with MFA', async () => {
    const [socket, owner] = [await connect(member.token), await connect(tenant.owner.token)];
    await demand(true);
    expectFailure(await member.api.get(SESSIONS), 403, MUST_ENROL);
    await until(() => socket.io.disconnected);
    expectStatus(await tenant.owner.api.get(SESSIONS), 200);
    await owner.send('snapshot');
    expect(owner.io.connected).toBe(true);
    expect((await storedOf(test, member)).sessions).toBe(1);
  });

  it('counts after 5 s also where no news of it came', async () => {
    const socket = await connect(member.token);
    const start = Date.now();
    await test.db.query('UPDATE tenants SET mfa_required = true WHERE id = $1', [tenant.id]);
    test.clock.advance(5.001);
    expectFailure(await member.api.get(SESSIONS), 403, MUST_ENROL);
    await until(() => socket.io.disconnected);
    // A round of the upkeep every 5 s, and what it takes on a busy machine.
    expect(Date.now() - start).toBeLessThan(8000);
  });

  it('is over as soon as it is taken back', async () => {
    await demand(true);
    expectFailure(await member.api.get(SESSIONS), 403, MUST_ENROL);
    await demand(false);
    expectStatus(await member.api.get(SESSIONS), 200);
    await connect(member.token);
  });

  it("is one company's own", async () => {
    await demand(true);
    const other = await TestTenant.register(test, 'free');
    expectStatus(await other.owner.api.get(SESSIONS), 200);
  });

  it('may be made by somebody without MFA, who then has to enrol, too', async () => {
    const manager = await tenant.member('manager');
    expectStatus(await manager.api.put('/api/v1/tenant', { mfa_required: true }), 200);
    expectFailure(await manager.api.put('/api/v1/tenant', { mfa_required: false }), 403, MUST_ENROL);
  });
});
