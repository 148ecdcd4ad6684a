import { setTimeout } from 'node:timers/promises';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { CustomerDeleted } from '../../src/customers/customer.events';
import { DepartmentCreated } from '../../src/departments/department.events';
import { UserUpdated } from '../../src/identity/users/user.events';
import { Database } from '../../src/platform/database/database';
import type { Transaction } from '../../src/platform/database/transaction';
import type { DomainEvent } from '../../src/platform/events/domain-event';
import { EventBus, type EventStore } from '../../src/platform/events/event-bus';
import { openApiDocument } from '../../src/bootstrap/openapi/openapi-document';
import { type EventPayload, PayloadBuilder } from '../../src/webhooks/payloads/payload-builder';
import { AgentStateChanged } from '../../src/routing/agents/agent.events';
import { QueueAlerts } from '../../src/routing/alerts/queue-alerts';
import { PayloadsModule } from '../../src/webhooks/payloads/payloads.module';
import { testPayload } from '../../src/webhooks/payloads/test-payload';
import { isWebhookEvent, TEST_EVENT, WEBHOOK_EVENTS } from '../../src/webhooks/payloads/webhook-event-types';
import { AiPeer } from '../support/peers/ai-peer';
import type { Json } from '../support/http/api';
import { book, bookConfirmed, createCustomer, freeSlot, performStep } from '../support/contexts/appointments';
import { expectStatus, type Member, PASSWORD, someId, TestTenant } from '../support/builders';
import { callbackRequested, callingQueue } from '../support/contexts/callbacks';
import { changeCall } from '../support/contexts/line';
import { overflowingQueue, untilOverflowed } from '../support/contexts/overflow';
import { createWebhook, UNREACHABLE_URL } from '../support/contexts/webhooks';
import { expand, resolveRecord, schemaErrors } from '../support/http/json-schema';
import { createRecording } from '../support/contexts/recordings';
import { TestSocket } from '../support/sockets/socket';
import { missRingTimeout, setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { candidate, recordOffer } from '../support/contexts/recorded-offers';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Builds and collects the payload of every event that webhooks can subscribe to. */
@Injectable()
class PayloadCollector implements OnModuleInit, EventStore {
  readonly payloads: EventPayload[] = [];

  constructor(
    private readonly events: EventBus,
    private readonly builder: PayloadBuilder,
  ) {}

  onModuleInit(): void {
    this.events.registerStore(this);
  }

  async store(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
    const eventsByTenant = Map.groupBy(
      events.filter(({ type }) => isWebhookEvent(type)),
      ({ tenant_id }) => tenant_id,
    );
    for (const [tenantId, tenantEvents] of eventsByTenant) {
      const built = await this.builder.build(tx, tenantId, tenantEvents);
      tx.afterCommit(async () => void this.payloads.push(...built));
    }
  }
}

@Module({ imports: [PayloadsModule], providers: [PayloadCollector] })
class PayloadCollectorModule {}

let test: TestApp;
let peer: AiPeer;
let tenant: TestTenant;
let document: Json;
/** The data of API responses, by the kind of record. */
const apiRecords: Json = {};

beforeAll(async () => {
  peer = await AiPeer.start();
  const models = { AI_TRANSCRIPTION_MODEL: 'whisper-1', AI_SUMMARY_MODEL: 'gpt-4o-mini' };
  test = await startTestApp({
    env: { AI_BASE_URL: peer.url, AI_API_KEY: 'sk-secret', ...models },
    imports: [PayloadCollectorModule],
  });
  document = openApiDocument(test.app);
  tenant = await TestTenant.register(test);
  await changeRecords();
  await changeAppointments();
  await createCalls();
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

/** Returns the payloads of this type as they are sent. */
const payloadsOf = (type: string): Json[] =>
  test
    .get(PayloadCollector)
    .payloads.filter(({ event }) => event.type === type)
    .map(({ payload }) => payload);

/** Returns the `data` of the only payload of this type for this record. */
const dataAbout = (type: string, id: string): Json => {
  const found = payloadsOf(type).filter(({ data }) => id === (data.id ?? data.recording_id));
  expect([type, found.length]).toEqual([type, 1]);
  return found[0].data;
};

const schemaOf = (type: string): Json => bodyOf(type).schema;
const bodyOf = (type: string): Json => document.webhooks[type].post.requestBody.content['application/json'];

async function callApi(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await tenant.owner.api.send(method, `/api/v1/${path}`, { body });
  if (answer.status >= 300) expectStatus(answer, 200);
  return answer.body.data;
}

/** Creates, changes and deletes departments, users, customers and links. */
async function changeRecords(): Promise<void> {
  apiRecords.department = await tenant.department();
  const { id } = apiRecords.department;
  const settings = { max_queue_size: 7, routing: 'automatic' };
  apiRecords.departmentUpdated = await callApi('PUT', `departments/${id}`, settings);
  const { email } = await tenant.member();
  apiRecords.user = await callApi('POST', 'users', {
    name: 'Bia Reis',
    email: `bia.${email}`,
    role: 'attendant',
    password: PASSWORD,
    department_ids: [id],
  });
  const skill = await callApi('POST', 'skills', { name: 'English' });
  await callApi('PUT', `users/${apiRecords.user.id}/skills`, { skills: [{ skill_id: skill.id, level: 3 }] });
  apiRecords.userUpdated = await callApi('PUT', `users/${apiRecords.user.id}`, {
    department_ids: [],
    phone: '1',
  });
  apiRecords.customer = await createCustomer(tenant, { email: 'carla@lima.example', metadata: { crm: [1] } });
  const duplicate = await createCustomer(tenant, { phone: '2' });
  apiRecords.customerUpdated = await callApi('PUT', `customers/${apiRecords.customer.id}`, { notes: 'New' });
  const ids = { primary_id: apiRecords.customer.id, duplicate_ids: [duplicate.id] };
  apiRecords.customerMerged = {
    ...(await callApi('POST', 'customers/merge', ids)),
    duplicate_ids: [duplicate.id],
  };
  apiRecords.link = await tenant.link(id, {
    customer_id: apiRecords.customer.id,
    label: 'Letter',
    max_uses: 2,
    priority: 4,
    skills: [{ skill_id: skill.id, min_level: 2 }],
  });
  apiRecords.linkCancelled = await callApi('POST', `access-links/${apiRecords.link.id}/cancel`);
  apiRecords.deleted = await createCustomer(tenant);
  apiRecords.erased = await createCustomer(tenant);
  await callApi('DELETE', `customers/${apiRecords.deleted.id}`);
  await callApi('POST', `customers/${apiRecords.erased.id}/erase`);
  await callApi('DELETE', `departments/${id}`);
}

async function changeAppointments(): Promise<void> {
  const { id: department_id } = await tenant.department();
  const slot = () => ({
    ...freeSlot(test),
    department_id,
    customer_id: apiRecords.customer.id,
    title: 'Contract',
  });
  apiRecords.confirmed = await bookConfirmed(tenant, slot());
  apiRecords.completed = await performStep(tenant, (await book(tenant, slot())).id, 'complete');
  apiRecords.cancelled = await performStep(tenant, (await book(tenant, slot())).id, 'cancel');
  apiRecords.no_show = await performStep(tenant, (await book(tenant, slot())).id, 'no-show');
}

/** Creates a call with all possible events, and three calls that end unanswered. */
async function createCalls(): Promise<void> {
  const { department, link } = await tenant.queue({ max_wait_time: 30 });
  const agent = await tenant.member('attendant', [department.id]);
  const { call_id, websocket_token } = await tenant.join(link, {
    email: 'joao@example.com',
    reason: 'A card',
  });
  const customer = await TestSocket.connect(test.url, websocket_token);
  // The call is still queued, so this assigns and starts it in one transaction.
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  customer.close();
  await until(() => payloadsOf('call.peer_disconnected').length > 0);
  const reconnected = await TestSocket.connect(test.url, websocket_token);
  await until(() => payloadsOf('call.peer_reconnected').length > 0);
  expect(await reconnected.send('chat_message', { text: 'Hello' })).toMatchObject({ ok: true });
  apiRecords.recording = await createRecording(test, call_id, agent);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  expectStatus(await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 4, comment: 'Good' }), 200);
  reconnected.close();
  apiRecords.call = await callApi('GET', `calls/${call_id}`);
  await transferCall(link, agent);
  const leaver = await tenant.join(link);
  expectStatus(await test.api.as(leaver.websocket_token).post(`/api/v1/call/cancel/${leaver.call_id}`), 200);
  const { call_id: missed } = await tenant.join(link);
  apiRecords.offer = await recordOffer(
    test,
    {
      tenant_id: tenant.id,
      call_id: missed,
      department_id: department.id,
      user_id: agent.id,
      reason: 'Lunch',
    },
    'declined',
    { candidates: [candidate(agent.id)] },
  );
  await setMaxUnanswered(test, department.id, 2);
  expectStatus(await agent.api.post(`/api/v1/calls/${missed}/assign`), 200);
  await missRingTimeout(test, missed);
  expectStatus(await agent.api.post(`/api/v1/calls/${missed}/assign`), 200);
  await tenant.join(link);
  test.clock.advance(120);
  await sweep(test);
  await until(() => payloadsOf('summary.ready').length > 0);
  await raiseAlert();
  await callBack();
  await overflowCall();
}

/** It is the turn of a customer who asked the company to call them back. */
async function callBack(): Promise<void> {
  const { id } = await createWebhook(tenant, UNREACHABLE_URL, ['callback.due']);
  const { link } = await callingQueue(tenant);
  await callbackRequested(test, await tenant.join(link as { token: string }), { channel: 'webhook' });
  await until(() => payloadsOf('callback.due').length > 0);
  await callApi('DELETE', `webhooks/${id}`);
}

/** A call whose customer was told a range overflows before it is answered. */
async function overflowCall(): Promise<void> {
  const { link, target } = await overflowingQueue(tenant);
  const { call_id } = await tenant.join(link);
  await changeCall(test, call_id, { estimated_wait_low: 30, estimated_wait_high: 120 });
  const { overflowed_at } = await untilOverflowed(test, call_id);
  await callApi('POST', `calls/${call_id}/start`);
  const overflow_department_id: string = target.id;
  apiRecords.overflowed = { id: call_id, overflow_department_id, overflowed_at: overflowed_at.toISOString() };
}

/** A customer waits in a department without agents. */
async function raiseAlert(): Promise<void> {
  await callApi('PUT', 'tenant', { alert_nobody_available: true });
  const { department, link } = await tenant.queue();
  apiRecords.alerting = department;
  await tenant.join(link);
  await test.get(QueueAlerts).check();
  await until(() => payloadsOf('queue.alert').length > 0);
}

/** Transfers an active call, which its agent then takes from the queue of the other department and completes. */
async function transferCall(link: { token: string }, agent: Member): Promise<void> {
  const { call_id } = await tenant.join(link);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  apiRecords.started = await callApi('GET', `calls/${call_id}`);
  const { id: department_id } = await tenant.department();
  const input = { department_id, note: 'Wants an invoice' };
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/transfer`, input), 200);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  apiRecords.transferred = await callApi('GET', `calls/${call_id}`);
}

const omit = (record: Json, ...fields: string[]): Json =>
  Object.fromEntries(Object.entries<Json>(record).filter(([field]) => !fields.includes(field)));

/** Returns the `data` of this type for the call with all possible events. */
const callDataOf = (type: string): Json => dataAbout(type, apiRecords.call.id);

describe('a payload', () => {
  it.each(WEBHOOK_EVENTS)('of %s has exactly the documented fields', (type) => {
    const payloads = payloadsOf(type);
    expect(payloads.length).toBeGreaterThan(0);
    const fields = Object.keys(resolveRecord(document, schemaOf(type).properties.data.$ref).properties);
    for (const payload of payloads) {
      expect([payload, schemaErrors(document, schemaOf(type), payload)]).toEqual([payload, []]);
      expect(Object.keys(payload.data)).toEqual(fields);
    }
  });

  it('of a record equals its API response', () => {
    const { link, linkCancelled, recording, confirmed: appointment } = apiRecords;
    const user = (record: Json) =>
      omit(record, 'avatar_url', 'invited', 'mfa_enabled', 'presence', 'last_login_at');
    const expected: [type: string, data: Json][] = [
      ['department.created', apiRecords.department],
      ['department.updated', { ...apiRecords.departmentUpdated, changed: ['max_queue_size', 'routing'] }],
      ['user.created', user(apiRecords.user)],
      ['user.updated', { ...user(apiRecords.userUpdated), changed: ['phone', 'department_ids'] }],
      ['customer.created', apiRecords.customer],
      ['customer.updated', { ...apiRecords.customerUpdated, changed: ['notes'] }],
      ['customer.merged', apiRecords.customerMerged],
      ['access_link.created', omit(link, 'token', 'url')],
      ['access_link.cancelled', omit(linkCancelled, 'token', 'url')],
      ['recording.ready', omit(recording, 'sha256')],
      ['appointment.confirmed', omit(appointment, 'access_link', 'customer_name')],
      ...['completed', 'cancelled', 'no_show'].map((status): [string, Json] => [
        `appointment.${status}`,
        omit(apiRecords[status], 'access_link', 'customer_name'),
      ]),
    ];
    for (const [type, data] of expected) expect([type, dataAbout(type, data.id)]).toEqual([type, data]);
  });

  it('of a deleted record contains only its id', () => {
    const { deleted, erased, department } = apiRecords;
    expect(dataAbout('customer.deleted', deleted.id)).toEqual({ id: deleted.id, erased: false });
    expect(dataAbout('customer.deleted', erased.id)).toEqual({ id: erased.id, erased: true });
    expect(dataAbout('department.deleted', department.id)).toEqual({ id: department.id });
  });

  it('of a transcript or summary contains its URL, not its text', async () => {
    for (const [type, text] of [
      ['transcript.ready', 'Olá.'],
      ['summary.ready', 'The customer said hello.'],
    ] as const) {
      const { url, ...ids } = dataAbout(type, apiRecords.recording.id);
      expect(ids).toEqual({ recording_id: apiRecords.recording.id, call_id: apiRecords.call.id });
      const { status, body } = await tenant.owner.api.get(url);
      expect([status, body.data[type.split('.')[0] ?? '']]).toEqual([200, text]);
    }
  });
});

describe('the payload of a call', () => {
  it('describes the state after each of two transitions in one transaction', () => {
    const { payloads } = test.get(PayloadCollector);
    const ofCall = payloads.filter(({ event }) => event.subject_id === apiRecords.call.id);
    const [first, second] = ['call.assigned', 'call.started'].map((type) =>
      ofCall.findIndex(({ event }) => event.type === type && event.subject_id === apiRecords.call.id),
    );
    expect(second).toBe((first ?? 0) + 1);
    const { user_id } = apiRecords.call;
    expect(callDataOf('call.assigned')).toMatchObject({
      status: 'assigned',
      version: 2,
      user_id,
      previous_user_id: null,
      assigned_at: expect.any(String),
      started_at: null,
    });
    expect(callDataOf('call.started')).toMatchObject({ status: 'active', version: 3, user_id });
    expect(callDataOf('call.started').started_at).toBe(apiRecords.call.started_at);
  });

  it('describes the call from the queue to the rating', () => {
    const { id, user_id, user_name, customer_name, completed_at, duration } = apiRecords.call;
    const person = { customer_name, customer_email: 'joao@example.com', reason: 'A card' };
    expect(callDataOf('call.queued')).toMatchObject({
      id,
      ...person,
      status: 'queued',
      version: 1,
      user_id: null,
    });
    const over = { ...person, status: 'completed', user_id, user_name, end_reason: 'normal', duration };
    expect(callDataOf('call.completed')).toMatchObject({
      ...over,
      completed_at,
      ended_at: completed_at,
      rating: null,
      chat_message_count: 1,
    });
    const rated = callDataOf('call.rated');
    expect(rated).toMatchObject({ ...over, rating: 4, rating_comment: 'Good' });
    const fields = Object.entries(apiRecords.call).filter(([field]) => field in rated);
    expect(fields.length).toBeGreaterThan(15);
    expect(rated).toMatchObject(Object.fromEntries(fields));
    const disconnected = callDataOf('call.peer_disconnected');
    expect(disconnected).toMatchObject({ status: 'active', participant: 'customer', grace_seconds: 60 });
    expect(callDataOf('call.peer_reconnected')).toMatchObject({ status: 'active', participant: 'customer' });
    expect(callDataOf('call.peer_reconnected').version).toBeGreaterThan(disconnected.version);
  });

  it('has the times of the first wait and start after a transfer, and not what the agent said about it', () => {
    const { id, department_id, started_at, wait_time } = apiRecords.transferred;
    const { user_id, department_id: previous_department_id } = apiRecords.started;
    expect(department_id).not.toBe(previous_department_id);
    expect(dataAbout('call.transferred', id)).toMatchObject({
      status: 'queued',
      department_id,
      user_id: null,
      user_name: null,
      assigned_at: null,
      started_at,
      wait_time,
      previous_department_id,
      previous_user_id: user_id,
    });
    const assignments = payloadsOf('call.assigned').filter(({ data }) => data.id === id);
    expect(assignments.map(({ data }) => data.started_at)).toEqual([null, started_at]);
    expect(JSON.stringify(test.get(PayloadCollector).payloads)).not.toContain('Wants an invoice');
  });

  it('contains to which department it overflowed, and the range that the customer was told', () => {
    const { id } = apiRecords.overflowed;
    const range = { estimated_wait_range: { low: 30, high: 120 } };
    expect(dataAbout('call.started', id)).toMatchObject({ ...apiRecords.overflowed, ...range });
    expect(dataAbout('call.queued', id)).toMatchObject({ overflow_department_id: null, overflowed_at: null });
  });

  it('contains the end reason of unanswered calls', () => {
    const ends = ['missed', 'cancelled', 'abandoned'].map((status) => payloadsOf(`call.${status}`)[0]?.data);
    expect(ends).toMatchObject([
      { status: 'missed', end_reason: 'timeout', completed_at: null, ended_at: expect.any(String) },
      { status: 'cancelled', end_reason: 'abandoned', user_id: null, duration: null },
      { status: 'abandoned', end_reason: 'abandoned', user_id: null, duration: null },
    ]);
  });
});

describe('the payload of an offer', () => {
  it('contains the offer at the event, and its call', () => {
    const { id, call_id, department_id, user_id, offered_at, expires_at, ended_at } = apiRecords.offer;
    const fields = { id, call_id, department_id, user_id, kind: 'line', offered_by: null, note: null };
    const facts = { appointment: null, known_customer: expect.any(Boolean) };
    const times = { offered_at: offered_at.toISOString(), expires_at: expires_at.toISOString() };
    const call = expect.objectContaining({ id: call_id, status: 'queued', version: 1, user_id: null });
    expect(dataAbout('call.offered', id)).toEqual({
      ...fields,
      ...facts,
      status: 'pending',
      reason: null,
      ...times,
      ended_at: null,
      call,
    });
    expect(dataAbout('call.offer_ended', id)).toEqual({
      ...fields,
      ...facts,
      status: 'declined',
      reason: 'Lunch',
      ...times,
      ended_at: ended_at.toISOString(),
      call,
    });
  });
});

it('the payload of an event about an agent has their name, and that of one about the user has the user', async () => {
  const { id, name } = await tenant.member();
  const at = test.clock.now();
  const state = { user_id: id, presence: 'online', previous_presence: 'offline', reason: null } as const;
  const built = await test.get(Database).tenant(tenant.id, (tx) =>
    test.get(PayloadBuilder).build(tx, tenant.id, [
      new UserUpdated(tenant.id, id, at.toISOString(), ['phone']),
      new AgentStateChanged(tenant.id, at.toISOString(), {
        ...state,
        state: 'available',
        previous_state: 'offline',
        since: at,
        idle_since: at,
        department_ids: [],
      }),
    ]),
  );
  expect(built.map(({ payload }) => payload.data)).toEqual([
    expect.objectContaining({ id, role: 'attendant', changed: ['phone'] }),
    {
      user_id: id,
      name,
      presence: 'online',
      state: 'available',
      previous_state: 'offline',
      reason: null,
      since: at.toISOString(),
      idle_since: at.toISOString(),
    },
  ]);
});

it('the payload of an alert about a queue contains its kind, its department and when it began', () => {
  const { id } = apiRecords.alerting;
  const alerts = payloadsOf('queue.alert').map(({ data }) => data);
  expect(alerts).toContainEqual({
    kind: 'nobody_available',
    department_id: id,
    since: expect.stringMatching(/Z$/),
  });
});

it('a payload names the customer whose data it contains', async () => {
  const ofCustomers = /^(call|callback|customer|access_link|appointment)\./;
  for (const { event, payload, customer_id } of test.get(PayloadCollector).payloads) {
    const { id, call, customer_id: named = call?.customer_id ?? id } = payload.data as Json;
    const isPersonal = ofCustomers.test(event.type) && event.type !== 'customer.deleted';
    expect([event.type, customer_id]).toEqual([event.type, isPersonal ? named : null]);
  }
  const { rows } = await test.db.query('SELECT customer_id FROM calls WHERE id = $1', [apiRecords.call.id]);
  expect(dataAbout('call.queued', apiRecords.call.id)).toMatchObject({
    customer_id: rows[0].customer_id,
    identity_confirmed: null,
  });
});

it('a failed statement is reported when no other statement of its transaction is running', async () => {
  const at = test.clock.now().toISOString();
  const events = [
    new DepartmentCreated(tenant.id, 'no uuid', at),
    new CustomerDeleted(tenant.id, someId(), at, false),
  ];
  let isRunning = false;
  let wasRunning = false;
  const building = test.get(Database).tenant(tenant.id, async (tx) => {
    const query = tx.query.bind(tx);
    jest.spyOn(tx, 'query').mockImplementation(async (text, values) => {
      if (!text.includes('FROM customers')) return query(text, values);
      isRunning = true;
      await setTimeout(50);
      return query(text, values).finally(() => {
        isRunning = false;
      });
    });
    await test
      .get(PayloadBuilder)
      .build(tx, tenant.id, events)
      .finally(() => (wasRunning = isRunning));
  });
  await expect(building).rejects.toThrow('uuid');
  expect(wasRunning).toBe(false);
});

it('no payload but callback.due, whose link is for the customer, contains a token, a secret or a hash of one', async () => {
  const { rows } = await test.db.query(
    `SELECT token AS secret FROM access_links UNION SELECT password_hash FROM users WHERE password_hash IS NOT NULL
     UNION SELECT storage_key FROM recordings`,
  );
  expect(rows.length).toBeGreaterThan(5);
  const all = JSON.stringify(
    test.get(PayloadCollector).payloads.map(({ payload }) => payload),
    (key, value: unknown) => (key === 'resume_url' ? null : value),
  );
  for (const { secret } of rows) expect(all).not.toContain(secret);
  expect(all).not.toContain(PASSWORD);
  expect(all).not.toMatch(/"\w*(token|secret|password|hash|sha256)\w*":/);
});

describe('the webhook reference', () => {
  const TYPES = [...WEBHOOK_EVENTS, TEST_EVENT];

  it('documents exactly the existing events', () => {
    expect(Object.keys(document.webhooks)).toEqual(TYPES);
  });

  it.each(TYPES)('documents the example, headers and responses of %s', (type) => {
    const { summary, parameters, responses, security } = document.webhooks[type].post;
    expect(security).toEqual([]);
    expect(summary).toMatch(/\S/);
    const headers = parameters.map((parameter: Json) => expand(document, parameter));
    expect(headers.map((header: Json) => [header.name, header.in, header.required])).toEqual(
      ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, 'header', true]),
    );
    expect(Object.keys(responses).toSorted()).toEqual(['2XX', '410', 'default']);
    const { schema, example } = bodyOf(type);
    expect(schemaErrors(document, schema, example)).toEqual([]);
    expect(example.type).toBe(type);
    const data = resolveRecord(document, schema.properties.data.$ref);
    expect(data.required).toEqual(Object.keys(data.properties));
  });

  it('describes the test payload', () => {
    const payload = testPayload(someId(), test.clock.now());
    expect(schemaErrors(document, schemaOf(TEST_EVENT), payload)).toEqual([]);
  });
});
