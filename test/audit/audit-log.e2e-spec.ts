import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { DepartmentCreated, DepartmentUpdated } from '../../src/departments/department.events';
import { Database } from '../../src/platform/database/database';
import { EventBus } from '../../src/platform/events/event-bus';
import { Durable } from '../../src/platform/events/listeners';
import type { Answer, Json } from '../support/http/api';
import { actionsOf, auditedAbout, auditedBy, auditRows } from '../support/contexts/audit-rows';
import { expectStatus, login, type Member, PASSWORD, someId, TestTenant } from '../support/builders';
import { eventsOf } from '../support/database/rows';
import { closingSockets } from '../support/sockets/connect-sockets';
import { missRingTimeout, setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const CLIENT_ADDRESS = '203.0.113.9';
const UUID = /^[0-9a-f-]{36}$/;

/** Changes a department in a job that a user's action started. */
@Injectable()
class ProbeJob {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
  ) {}

  @Durable(DepartmentCreated, 'probe-audit')
  async onCreated({ tenant_id, subject_id, occurred_at }: DepartmentCreated): Promise<void> {
    await this.database.tenant(tenant_id, (tx) =>
      this.events.record(tx, new DepartmentUpdated(tenant_id, subject_id, occurred_at, ['by_a_job'])),
    );
  }
}

@Module({ providers: [ProbeJob] })
class ProbeModule {}

let test: TestApp;
let tenant: TestTenant;
let other: TestTenant;
let owner: Member;
let agent: Member;
let department: Json;
let link: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: 'loopback' }, imports: [ProbeModule] });
  tenant = await TestTenant.register(test);
  other = await TestTenant.register(test);
  ({ owner } = tenant);
  ({ department, link } = await tenant.queue({ max_queue_size: 1000 }));
  agent = await tenant.member('attendant', [department.id]);
});

afterAll(() => test.close());

const rowsOfRequest = (answer: Answer) => auditedBy(test, answer);
const rowsAbout = (id: string) => auditedAbout(test, id);

const queuedCall = async (): Promise<string> => (await tenant.join(link)).call_id;
const assignedCall = async (): Promise<string> => {
  const id = await queuedCall();
  expectStatus(await agent.api.post(`/api/v1/calls/${id}/assign`), 200);
  return id;
};

describe('a write over HTTP', () => {
  it('leaves no row when it changes nothing', async () => {
    const { id, name } = await tenant.department();
    const assignedCallId = await assignedCall();
    const repeats = [
      await owner.api.put(`/api/v1/departments/${id}`, { department: { name } }),
      await owner.api.put(`/api/v1/departments/${id}`, {}),
      await agent.api.post(`/api/v1/calls/${assignedCallId}/assign`),
    ];
    for (const answer of repeats) {
      expectStatus(answer, 200);
      expect(await rowsOfRequest(answer)).toEqual([]);
    }
  });

  it('leaves no row when it is rejected or rolled back', async () => {
    const free = await TestTenant.register(test, 'free');
    const queue = await free.queue();
    const [first, second] = [await free.join(queue.link), await free.join(queue.link)];
    expectStatus(await free.owner.api.post(`/api/v1/calls/${first.call_id}/start`), 200);
    const { id, identifier } = department;
    const other = await tenant.department();
    const refusals: [number, Answer][] = [
      // Assigned and started before the limit is checked, then rolled back.
      [403, await free.owner.api.post(`/api/v1/calls/${second.call_id}/start`)],
      [422, await owner.api.put(`/api/v1/departments/${other.id}`, { department: { identifier } })],
      [422, await owner.api.post(`/api/v1/departments/${id}/users`, { user_id: agent.id })],
      [422, await agent.api.post(`/api/v1/calls/${await assignedCall()}/assign`, { user_id: someId() })],
      [403, await agent.api.post('/api/v1/departments', { department: { name: 'Mine' } })],
      [404, await owner.api.delete(`/api/v1/departments/${queue.department.id}`)],
      [401, await test.api.post('/api/v1/departments', { department: { name: 'Nobody’s' } })],
    ];
    for (const [status, answer] of refusals) {
      expect([answer.status, await rowsOfRequest(answer)]).toEqual([status, []]);
    }
    expect(await rowsAbout(second.call_id)).toEqual([]);
  });

  it('is rolled back when its row cannot be written', async () => {
    const { id } = await tenant.department();
    await test.db.query(`ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (action <> 'department.deleted')
      NOT VALID`);
    expect((await owner.api.delete(`/api/v1/departments/${id}`)).status).toBe(500);
    await test.db.query('ALTER TABLE audit_log DROP CONSTRAINT full_disk');
    expect((await owner.api.get(`/api/v1/departments/${id}`)).status).toBe(200);
    expect(await eventsOf(test, id)).not.toContain('department.deleted');
  });

  it('records the client’s address, and the client’s request id if it is a UUID', async () => {
    const create = (name: string, id: string) =>
      owner.api.post(
        '/api/v1/departments',
        { department: { name } },
        { headers: { 'x-forwarded-for': `198.51.100.1, ${CLIENT_ADDRESS}`, 'x-request-id': id } },
      );
    const chosen = randomUUID();
    expect(await rowsOfRequest(await create('Far', chosen))).toMatchObject([
      { address: CLIENT_ADDRESS, request_id: chosen },
    ]);
    // Other text might contain personal data, and the log cannot be corrected.
    const { body } = await create('Farther', 'Ana.Souza:4111111111111111');
    expect(await auditedAbout(test, body.data.id)).toMatchObject([
      { address: CLIENT_ADDRESS, request_id: null },
    ]);
  });
});

const tryLogin = (email: string, password = PASSWORD) =>
  test.api.post(
    '/api/auth/login',
    { tenant: tenant.slug, email, password },
    { headers: { 'x-forwarded-for': CLIENT_ADDRESS } },
  );

describe('a login', () => {
  it('leaves a row with the user, and so does the logout', async () => {
    const member = await tenant.member();
    const answer = await tryLogin(member.email);
    const session = { user_id: member.id, address: CLIENT_ADDRESS };
    expect(await rowsOfRequest(answer)).toMatchObject([{ ...session, action: 'login.succeeded' }]);
    const logoutAnswer = await test.api.as(answer.body.access_token).post('/api/auth/logout', {});
    expectStatus(logoutAnswer, 204);
    expect(await rowsOfRequest(logoutAnswer)).toMatchObject([
      { user_id: member.id, action: 'session.revoked' },
    ]);
  });

  it('that fails leaves a row without a user, about the account if there is one', async () => {
    for (const [email, subject_id] of [
      [agent.email, agent.id],
      ['nobody@nowhere.example', tenant.id],
    ] as const) {
      const answer = await tryLogin(email, 'not the passphrase');
      expectStatus(answer, 401);
      const failure = { action: 'login.failed', user_id: null, subject_id, address: CLIENT_ADDRESS };
      // The row is written in parallel, so that the response does not wait for it.
      const rows = await until(async () => {
        const found = await rowsOfRequest(answer);
        return found.length > 0 && found;
      });
      expect(rows).toMatchObject([failure]);
    }
  });

  it('that fails with a name that two tenants share leaves no row', async () => {
    await test.db.query(`UPDATE tenants SET name = 'Twins' WHERE id IN ($1, $2)`, [tenant.id, other.id]);
    const body = { tenant: 'Twins', email: agent.email, password: 'not the passphrase' };
    const answer = await test.api.post('/api/auth/login', body);
    expectStatus(answer, 401);
    const later = await tryLogin('somebody@else.example', 'not the passphrase');
    await until(async () => (await rowsOfRequest(later)).length > 0);
    expect(await rowsOfRequest(answer)).toEqual([]);
  });

  it('with a used refresh token leaves a row without a user', async () => {
    const { email } = await tenant.member();
    const { refresh_token } = await login(test, tenant.slug, email);
    const next = await test.api.post('/api/auth/refresh', { refresh_token });
    expectStatus(await test.api.post('/api/auth/refresh', { refresh_token: next.body.refresh_token }), 200);
    const reuse = await test.api.post('/api/auth/refresh', { refresh_token });
    expectStatus(reuse, 401);
    expect(await rowsOfRequest(reuse)).toMatchObject([
      { action: 'session.revoked', user_id: null, address: '127.0.0.1' },
    ]);
  });
});

describe('a write over the socket', () => {
  const FORWARDED = { extraHeaders: { 'x-forwarded-for': CLIENT_ADDRESS } };

  it('leaves a row for every message, with the address of the handshake and its own request id', async () => {
    const member = await tenant.member('attendant', [department.id]);
    const socket = await connect(member.token, FORWARDED);
    for (const presence of ['away', 'away', 'online']) await socket.send('set_presence', { presence });
    const chosen = await rowsAbout(member.id).then((all) =>
      all.filter(({ action }) => action === 'user.presence_chosen'),
    );
    expect(chosen.map(({ details }) => details)).toEqual([{ chosen: 'away' }, { chosen: 'online' }]);
    for (const row of chosen) {
      const by = { user_id: member.id, address: CLIENT_ADDRESS, request_id: expect.stringMatching(UUID) };
      expect(row).toMatchObject({ ...by, subject_type: 'user' });
    }
    expect(new Set(chosen.map(({ request_id }) => request_id)).size).toBe(2);
  });

  it('leaves rows with the agent who joins and ends a call', async () => {
    const id = await assignedCall();
    const socket = await connect(agent.token, FORWARDED);
    for (const _ of [1, 2])
      expect(await socket.send('join_call', { call_id: id })).toMatchObject({ ok: true });
    expectStatus(await agent.api.post(`/api/v1/calls/${id}/start`), 200);
    expect(await socket.send('end_call', { call_id: id })).toMatchObject({ ok: true });
    const all = await rowsAbout(id);
    expect(actionsOf(all).sort()).toEqual([
      'call.agent_joined',
      'call.assigned',
      'call.completed',
      'call.started',
    ]);
    const bySocket = all.filter(({ address }) => address === CLIENT_ADDRESS);
    expect(actionsOf(bySocket).sort()).toEqual(['call.agent_joined', 'call.completed']);
    expect(bySocket).toEqual(
      bySocket.map((row) => ({ ...row, user_id: agent.id, details: expect.any(Object) })),
    );
  });

  it('leaves no row when it is rejected', async () => {
    const socket = await connect(agent.token);
    const id = await queuedCall();
    expect(await socket.send('join_call', { call_id: id })).toMatchObject({ ok: false });
    expect(await socket.send('set_presence', { presence: 'busy' })).toMatchObject({ ok: false });
    expect(await rowsAbout(id)).toEqual([]);
  });

  it('is not attributed to the user whose request closed the socket', async () => {
    const member = await tenant.member('attendant', [department.id]);
    const id = await queuedCall();
    expectStatus(await member.api.post(`/api/v1/calls/${id}/start`), 200);
    const socket = await connect(member.token);
    expect(await socket.send('join_call', { call_id: id })).toMatchObject({ ok: true });
    const answer = await owner.api.put(`/api/v1/users/${member.id}`, { active: false });
    expectStatus(answer, 200);
    await until(async () => (await eventsOf(test, id)).includes('call.peer_disconnected'));
    expect(new Set(actionsOf(await rowsOfRequest(answer)))).toEqual(
      new Set(['session.revoked', 'user.updated']),
    );
  });
});

describe('no row is written for', () => {
  it('actions of customers, even if they send a staff token', async () => {
    const request = { token: owner.token };
    const join = await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Caio Melo' }, request);
    const { call_id, websocket_token } = join.body.data;
    const answers = [join, await test.api.post('/api/v1/call/resume', { websocket_token }, request)];
    const customer = await connect(websocket_token);
    expect(await customer.send('leave_queue')).toMatchObject({ ok: true });

    const startedCall = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${startedCall.call_id}/start`), 200);
    const startedCallSocket = await connect(startedCall.websocket_token);
    expect(await startedCallSocket.send('end_call')).toMatchObject({ ok: true });
    answers.push(await test.api.post(`/api/v1/call/evaluate/${startedCall.call_id}`, { rating: 5 }, request));

    for (const answer of answers) {
      expectStatus(answer, 200);
      expect(await rowsOfRequest(answer)).toEqual([]);
    }
    expect(await rowsAbout(call_id)).toEqual([]);
    expect(actionsOf(await rowsAbout(startedCall.call_id))).toEqual(['call.assigned', 'call.started']);
  });

  it('missed deadlines', async () => {
    await setMaxUnanswered(test, department.id, 2);
    const id = await assignedCall();
    await missRingTimeout(test, id);
    expectStatus(await agent.api.post(`/api/v1/calls/${id}/assign`), 200);
    test.clock.advance(61);
    await sweep(test);
    expect(await eventsOf(test, id)).toEqual([
      'call.queued',
      'call.assigned',
      'call.requeued',
      'call.assigned',
      'call.missed',
    ]);
    expect(actionsOf(await rowsAbout(id))).toEqual(['call.assigned', 'call.assigned']);
  });

  it('jobs, even if an action of a user started them', async () => {
    const { id } = await tenant.department();
    await until(async () => (await eventsOf(test, id)).includes('department.updated'));
    expect(actionsOf(await rowsAbout(id))).toEqual(['department.created']);
  });
});

it('the audit log contains no personal data, no free text and no secret', async () => {
  const texts = { description: 'Ask Dora Lemos', email: 'dora@lemos.example', phone: '+55 11 95555-1234' };
  const { id } = await tenant.department({ name: 'Team of Dora', description: texts.description });
  await owner.api.put(`/api/v1/departments/${id}`, {
    department: { name: 'Team of Duda', description: 'x-7' },
  });
  const member = await tenant.member('attendant', [id]);
  const { email, phone } = texts;
  await owner.api.put(`/api/v1/users/${member.id}`, { name: 'Dora Lemos', email, phone });
  const personalLink = await tenant.link(id, { label: 'For Dora' });
  const customer = {
    name: 'Caio Melo',
    email: 'caio@melo.example',
    phone: '+55 11 94444-4321',
    reason: 'Debt',
  };
  const { call_id } = await tenant.join(personalLink, customer);
  expectStatus(await member.api.post(`/api/v1/calls/${call_id}/assign`), 200);
  await owner.api.post(`/api/v1/calls/${call_id}/assign`, { user_id: owner.id });
  await owner.api.post(`/api/v1/calls/${call_id}/complete`, { notes: 'Will pay' });
  await test.api.post('/api/auth/login', { tenant: tenant.slug, email, password: 'Dora’s passphrase' });

  const log = await auditRows(test, 'tenant_id = $1', tenant.id);
  expect(actionsOf(await rowsAbout(call_id))).toEqual(['call.assigned', 'call.assigned', 'call.completed']);
  const everything = JSON.stringify(log).toLowerCase();
  const found = (await secretsOf(test)).filter((text) => everything.includes(text.toLowerCase()));
  expect(found).toEqual([]);
});

/** All personal data, free text and secrets in the database. */
async function secretsOf({ db }: TestApp): Promise<string[]> {
  const { rows: values } = await db.query<{ text: string }>(`
    SELECT DISTINCT text FROM (
      SELECT unnest(ARRAY[name, email, phone, password_hash]) AS text FROM users
      UNION SELECT unnest(ARRAY[name, email, phone, document, notes]) FROM customers
      UNION SELECT unnest(ARRAY[customer_name, customer_email, customer_phone, user_name, reason, notes,
        manager_notes, rating_comment, department_name]) FROM calls
      UNION SELECT unnest(ARRAY[name, identifier, description]) FROM departments
      UNION SELECT unnest(ARRAY[token, label]) FROM access_links
      UNION SELECT token_hash FROM refresh_tokens
      UNION SELECT unnest(ARRAY[name, slug, document]) FROM tenants) AS every
    WHERE text <> ''`);
  const secrets = values.map(({ text }) => text);
  expect(secrets).toEqual(expect.arrayContaining(['Dora Lemos', 'dora@lemos.example', '+55 11 94444-4321']));
  return [...secrets, PASSWORD, 'Dora’s passphrase'];
}
