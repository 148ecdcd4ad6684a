import type { Role } from '../../../src/platform/access/roles';
import { expectStatus, login, type Member, someId, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { enrol, enrolledMember, logIn, loginStateOf } from '../../support/contexts/mfa';
import { closingSockets } from '../../support/sockets/connect-sockets';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const reset = (actor: Member, id: string) => actor.api.delete(`/api/v1/users/${id}/mfa`);

describe('resetting the MFA of another user', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let manager: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    manager = await tenant.member('manager');
  });

  afterAll(() => test.close());

  it('deletes all MFA data and ends the sessions and sockets of that user only', async () => {
    const { member } = await enrolledMember(test, tenant);
    await logIn(test, tenant, member);
    const socket = await connect(member.token);
    const answer = await reset(manager, member.id);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
    expect(await loginStateOf(test, member)).toMatchObject({
      mfa_enabled: false,
      mfa_secret: null,
      mfa_last_step: null,
      codes: 0,
      attempts: [],
      sessions: 0,
    });
    expectFailure(await member.api.get('/api/v1/users/me'), 401, { code: 'session_ended' });
    expectFailure(await test.api.post('/api/auth/refresh', { refresh_token: member.refresh_token }), 401);
    await until(() => socket.io.disconnected);
    expectStatus(await manager.api.get('/api/v1/users/me'), 200);
    expectStatus(await (await login(test, tenant.slug, member.email)).api.get('/api/v1/users/me'), 200);
  });

  it('changes nothing for a user without MFA', async () => {
    const member = await tenant.member();
    expectStatus(await reset(manager, member.id), 204);
    expectStatus(await member.api.get('/api/v1/users/me'), 200);
  });

  it.each<[Role, Role, number]>([
    ['attendant', 'attendant', 403],
    ['supervisor', 'attendant', 403],
    ['manager', 'supervisor', 204],
    ['manager', 'manager', 204],
    ['manager', 'owner', 403],
    ['owner', 'manager', 204],
    ['owner', 'owner', 204],
  ])('by %s of %s is answered with %d', async (by, from, status) => {
    const [actor, holder] = [await tenant.member(by), await tenant.member(from)];
    await enrol(test, holder);
    const answer = await reset(actor, holder.id);
    if (status === 403) expectFailure(answer, 403, { code: 'forbidden' });
    else expectStatus(answer, status);
    expect(await loginStateOf(test, holder)).toMatchObject({
      mfa_enabled: status === 403,
      codes: status === 403 ? 10 : 0,
      sessions: status === 403 ? 1 : 0,
    });
  });

  it('is rejected for the own account, which needs a code', async () => {
    const holder = await tenant.member('manager');
    await enrol(test, holder);
    expectFailure(await reset(holder, holder.id), 422, { code: 'own_mfa' });
    expect(await loginStateOf(test, holder)).toMatchObject({ mfa_enabled: true, codes: 10, sessions: 1 });
  });

  it("is 404 for another tenant's user", async () => {
    const other = await TestTenant.register(test);
    const { member } = await enrolledMember(test, other);
    const before = await loginStateOf(test, member);
    expectFailure(await reset(tenant.owner, member.id), 404, { code: 'not_found' });
    expect(await loginStateOf(test, member)).toEqual(before);
    expectStatus(await member.api.get('/api/v1/users/me'), 200);
  });

  it('is 404 for an unknown user, 400 for an invalid id and 401 without a token', async () => {
    expectFailure(await reset(manager, someId()), 404);
    expectFailure(await reset(manager, 'nonsense'), 400);
    expectFailure(await test.api.delete(`/api/v1/users/${someId()}/mfa`), 401);
  });
});
