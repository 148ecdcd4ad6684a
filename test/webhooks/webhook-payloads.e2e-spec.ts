import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { EventBus } from '../../src/platform/events/event-bus';
import { openApiDocument } from '../../src/platform/http/openapi/openapi-document';
import { type EventPayload, PayloadBuilder } from '../../src/webhooks/payloads/payload-builder';
import { PayloadsModule } from '../../src/webhooks/payloads/payloads.module';
import { testPayload } from '../../src/webhooks/payloads/test-payload';
import { isWebhookEvent, TEST_EVENT, WEBHOOK_EVENTS } from '../../src/webhooks/payloads/webhook-event-types';
import { AiPeer } from '../support/peers/ai-peer';
import type { Json } from '../support/http/api';
import { book, confirmed, customerOf, freeSlot, take } from '../support/contexts/appointments';
import { expectStatus, PASSWORD, someId, TestTenant } from '../support/builders';
import { faults, resolve } from '../support/http/json-schema';
import { recorded } from '../support/contexts/recordings';
import { TestSocket } from '../support/sockets/socket';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Makes the payload of every event that there is one for. */
@Injectable()
class Probe implements OnModuleInit {
  readonly made: EventPayload[] = [];

  constructor(
    private readonly events: EventBus,
    private readonly records: PayloadBuilder,
  ) {}

  onModuleInit(): void {
    this.events.registerStore(async (tx, events) => {
      const told = Map.groupBy(
        events.filter(({ type }) => isWebhookEvent(type)),
        ({ tenant_id }) => tenant_id,
      );
      for (const [tenantId, ofTenant] of told) {
        const made = await this.records.build(tx, tenantId, ofTenant);
        tx.afterCommit(async () => void this.made.push(...made));
      }
    });
  }
}

@Module({ imports: [PayloadsModule], providers: [Probe] })
class ProbeModule {}

let test: TestApp;
let peer: AiPeer;
let tenant: TestTenant;
let document: Json;
/** What the API answered, by what it was. */
const answered: Json = {};

beforeAll(async () => {
  peer = await AiPeer.start();
  const models = { AI_TRANSCRIPTION_MODEL: 'whisper-1', AI_SUMMARY_MODEL: 'gpt-4o-mini' };
  test = await startTestApp({
    env: { AI_BASE_URL: peer.url, AI_API_KEY: 'sk-secret', ...models },
    imports: [ProbeModule],
  });
  document = openApiDocument(test.app);
  tenant = await TestTenant.register(test);
  await changeRecords();
  await changeAppointments();
  await makeCalls();
});

afterAll(async () => {
  await test.close();
  await peer.stop();
});

/** The payloads of that type, as they are sent. */
const sent = (type: string): Json[] =>
  test
    .get(Probe)
    .made.filter(({ event }) => event.type === type)
    .map(({ payload }) => payload);

/** The `data` of the one payload of that type that is about this record. */
const dataAbout = (type: string, id: string): Json => {
  const found = sent(type).filter(({ data }) => id === (data.id ?? data.recording_id));
  expect([type, found.length]).toEqual([type, 1]);
  return found[0].data;
};

const schemaOf = (type: string): Json => bodyOf(type).schema;
const bodyOf = (type: string): Json => document.webhooks[type].post.requestBody.content['application/json'];

async function changed(method: string, path: string, body?: Json): Promise<Json> {
  const answer = await tenant.owner.api.send(method, `/api/v1/${path}`, { body });
  if (answer.status >= 300) expectStatus(answer, 200);
  return answer.body.data;
}

/** Departments, users, customers and links come, change and go. */
async function changeRecords(): Promise<void> {
  answered.department = await tenant.department();
  const { id } = answered.department;
  answered.departmentUpdated = await changed('PUT', `departments/${id}`, { max_queue_size: 7 });
  const { email } = await tenant.member();
  answered.user = await changed('POST', 'users', {
    name: 'Bia Reis',
    email: `bia.${email}`,
    role: 'attendant',
    password: PASSWORD,
    department_ids: [id],
  });
  answered.userUpdated = await changed('PUT', `users/${answered.user.id}`, {
    department_ids: [],
    phone: '1',
  });
  answered.customer = await customerOf(tenant, { email: 'carla@lima.example', metadata: { crm: [1] } });
  const duplicate = await customerOf(tenant, { phone: '2' });
  answered.customerUpdated = await changed('PUT', `customers/${answered.customer.id}`, { notes: 'New' });
  const ids = { primary_id: answered.customer.id, duplicate_ids: [duplicate.id] };
  answered.customerMerged = {
    ...(await changed('POST', 'customers/merge', ids)),
    duplicate_ids: [duplicate.id],
  };
  answered.link = await tenant.link(id, { customer_id: answered.customer.id, label: 'Letter', max_uses: 2 });
  answered.linkCancelled = await changed('POST', `access-links/${answered.link.id}/cancel`);
  answered.deleted = await customerOf(tenant);
  answered.erased = await customerOf(tenant);
  await changed('DELETE', `customers/${answered.deleted.id}`);
  await changed('POST', `customers/${answered.erased.id}/erase`);
  await changed('DELETE', `departments/${id}`);
}

async function changeAppointments(): Promise<void> {
  const { id: department_id } = await tenant.department();
  const slot = () => ({
    ...freeSlot(test),
    department_id,
    customer_id: answered.customer.id,
    title: 'Contract',
  });
  answered.confirmed = await confirmed(tenant, slot());
  answered.completed = await take(tenant, (await book(tenant, slot())).id, 'complete');
  answered.cancelled = await take(tenant, (await book(tenant, slot())).id, 'cancel');
  answered.no_show = await take(tenant, (await book(tenant, slot())).id, 'no-show');
}

/** A call with all that can happen, and three that come to nothing. */
async function makeCalls(): Promise<void> {
  const { department, link } = await tenant.queue({ max_wait_time: 30 });
  const agent = await tenant.member('attendant', [department.id]);
  const { call_id, websocket_token } = await tenant.join(link, {
    email: 'joao@example.com',
    reason: 'A card',
  });
  const customer = await TestSocket.connect(test.url, websocket_token);
  // Still waiting, so it is assigned and started in one go.
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  customer.close();
  await until(() => sent('call.peer_disconnected').length > 0);
  const back = await TestSocket.connect(test.url, websocket_token);
  await until(() => sent('call.peer_reconnected').length > 0);
  answered.recording = await recorded(test, call_id, agent);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  expectStatus(await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 4, comment: 'Good' }), 200);
  back.close();
  answered.call = await changed('GET', `calls/${call_id}`);
  const leaver = await tenant.join(link);
  expectStatus(await test.api.as(leaver.websocket_token).post(`/api/v1/call/cancel/${leaver.call_id}`), 200);
  const { call_id: missed } = await tenant.join(link);
  expectStatus(await agent.api.post(`/api/v1/calls/${missed}/assign`), 200);
  await tenant.join(link);
  test.clock.advance(120);
  await sweep(test);
  await until(() => sent('summary.ready').length > 0);
}

const without = (record: Json, ...fields: string[]): Json =>
  Object.fromEntries(Object.entries<Json>(record).filter(([field]) => !fields.includes(field)));

/** The `data` about the call with all that can happen. */
const callAt = (type: string): Json => dataAbout(type, answered.call.id);

describe('the payload of', () => {
  it.each(WEBHOOK_EVENTS)('%s is as documented, field for field', (type) => {
    const payloads = sent(type);
    expect(payloads.length).toBeGreaterThan(0);
    const fields = Object.keys(resolve(document, schemaOf(type).properties.data.$ref).properties);
    for (const payload of payloads) {
      expect([payload, faults(document, schemaOf(type), payload)]).toEqual([payload, []]);
      expect(Object.keys(payload.data)).toEqual(fields);
    }
  });

  it('a record says what the API says of it', () => {
    const { link, linkCancelled, recording, confirmed: appointment } = answered;
    const user = (record: Json) => without(record, 'mfa_enabled', 'presence', 'last_login_at');
    const told: [type: string, data: Json][] = [
      ['department.created', answered.department],
      ['department.updated', { ...answered.departmentUpdated, changed: ['max_queue_size'] }],
      ['user.created', user(answered.user)],
      ['user.updated', { ...user(answered.userUpdated), changed: ['phone', 'department_ids'] }],
      ['customer.created', answered.customer],
      ['customer.updated', { ...answered.customerUpdated, changed: ['notes'] }],
      ['customer.merged', answered.customerMerged],
      ['access_link.created', without(link, 'token', 'url')],
      ['access_link.cancelled', without(linkCancelled, 'token', 'url')],
      ['recording.ready', without(recording, 'sha256')],
      ['appointment.confirmed', without(appointment, 'access_link')],
      ...['completed', 'cancelled', 'no_show'].map((status): [string, Json] => [
        `appointment.${status}`,
        without(answered[status], 'access_link'),
      ]),
    ];
    for (const [type, data] of told) expect([type, dataAbout(type, data.id)]).toEqual([type, data]);
  });

  it('what is gone is its id', () => {
    const { deleted, erased, department } = answered;
    expect(dataAbout('customer.deleted', deleted.id)).toEqual({ id: deleted.id, erased: false });
    expect(dataAbout('customer.deleted', erased.id)).toEqual({ id: erased.id, erased: true });
    expect(dataAbout('department.deleted', department.id)).toEqual({ id: department.id });
  });

  it('a transcript and a summary say where they stand, not what was said', async () => {
    for (const [type, text] of [
      ['transcript.ready', 'Olá.'],
      ['summary.ready', 'The customer said hello.'],
    ] as const) {
      const { url, ...ids } = dataAbout(type, answered.recording.id);
      expect(ids).toEqual({ recording_id: answered.recording.id, call_id: answered.call.id });
      const { status, body } = await tenant.owner.api.get(url);
      expect([status, body.data[type.split('.')[0] ?? '']]).toEqual([200, text]);
    }
  });
});

describe('the payload of a call', () => {
  it('says what it was after each of two moves of one transaction', () => {
    const { made } = test.get(Probe);
    const [first, second] = ['call.assigned', 'call.started'].map((type) =>
      made.findIndex(({ event }) => event.type === type && event.subject_id === answered.call.id),
    );
    expect(second).toBe((first ?? 0) + 1);
    const { user_id } = answered.call;
    expect(callAt('call.assigned')).toMatchObject({
      status: 'assigned',
      version: 2,
      user_id,
      previous_user_id: null,
      assigned_at: expect.any(String),
      started_at: null,
    });
    expect(callAt('call.started')).toMatchObject({ status: 'active', version: 3, user_id });
    expect(callAt('call.started').started_at).toBe(answered.call.started_at);
  });

  it('follows it from the queue to the rating', () => {
    const { id, user_id, user_name, customer_name, completed_at, duration } = answered.call;
    const person = { customer_name, customer_email: 'joao@example.com', reason: 'A card' };
    expect(callAt('call.queued')).toMatchObject({
      id,
      ...person,
      status: 'queued',
      version: 1,
      user_id: null,
    });
    const over = { ...person, status: 'completed', user_id, user_name, end_reason: 'normal', duration };
    expect(callAt('call.completed')).toMatchObject({
      ...over,
      completed_at,
      ended_at: completed_at,
      rating: null,
    });
    const rated = callAt('call.rated');
    expect(rated).toMatchObject({ ...over, rating: 4, rating_comment: 'Good' });
    const fields = Object.entries(answered.call).filter(([field]) => field in rated);
    expect(fields.length).toBeGreaterThan(15);
    expect(rated).toMatchObject(Object.fromEntries(fields));
    const gone = callAt('call.peer_disconnected');
    expect(gone).toMatchObject({ status: 'active', participant: 'customer', grace_seconds: 60 });
    expect(callAt('call.peer_reconnected')).toMatchObject({ status: 'active', participant: 'customer' });
    expect(callAt('call.peer_reconnected').version).toBeGreaterThan(gone.version);
  });

  it('tells how those ended that came to nothing', () => {
    const ends = ['missed', 'cancelled', 'abandoned'].map((status) => sent(`call.${status}`)[0]?.data);
    expect(ends).toMatchObject([
      { status: 'missed', end_reason: 'timeout', completed_at: null, ended_at: expect.any(String) },
      { status: 'cancelled', end_reason: 'abandoned', user_id: null, duration: null },
      { status: 'abandoned', end_reason: 'abandoned', user_id: null, duration: null },
    ]);
  });
});

it('a payload goes with the customer whose data it holds', async () => {
  const ofCustomers = /^(call|customer|access_link|appointment)\./;
  for (const { event, payload, customer_id } of test.get(Probe).made) {
    const { id, customer_id: named = id } = payload.data as Json;
    const isTheirs = ofCustomers.test(event.type) && event.type !== 'customer.deleted';
    expect([event.type, customer_id]).toEqual([event.type, isTheirs ? named : null]);
  }
  const { rows } = await test.db.query('SELECT customer_id FROM calls WHERE id = $1', [answered.call.id]);
  expect(dataAbout('call.queued', answered.call.id).customer_id).toBe(rows[0].customer_id);
});

it('no payload holds a token, a secret or a hash of one', async () => {
  const { rows } = await test.db.query(
    `SELECT token AS secret FROM access_links UNION SELECT password_hash FROM users WHERE password_hash IS NOT NULL
     UNION SELECT storage_key FROM recordings`,
  );
  expect(rows.length).toBeGreaterThan(5);
  const all = JSON.stringify(test.get(Probe).made.map(({ payload }) => payload));
  for (const { secret } of rows) expect(all).not.toContain(secret);
  expect(all).not.toContain(PASSWORD);
  expect(all).not.toMatch(/"\w*(token|secret|password|hash|sha256)\w*":/);
});

describe('the reference of webhooks', () => {
  const TYPES = [...WEBHOOK_EVENTS, TEST_EVENT];

  it('has every event, and no other', () => {
    expect(Object.keys(document.webhooks)).toEqual(TYPES);
  });

  it.each(TYPES)('%s: example, headers and answers', (type) => {
    const { summary, parameters, responses, security } = document.webhooks[type].post;
    expect(security).toEqual([]);
    expect(summary).toMatch(/\S/);
    const headers = parameters.map(({ $ref }: Json) => resolve(document, $ref));
    expect(headers.map((header: Json) => [header.name, header.in, header.required])).toEqual(
      ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, 'header', true]),
    );
    expect(Object.keys(responses).toSorted()).toEqual(['2XX', '410', 'default']);
    const { schema, example } = bodyOf(type);
    expect(faults(document, schema, example)).toEqual([]);
    expect(example.type).toBe(type);
    const data = resolve(document, schema.properties.data.$ref);
    expect(data.required).toEqual(Object.keys(data.properties));
  });

  it('fits the test, too', () => {
    const payload = testPayload(someId(), test.clock.now());
    expect(faults(document, schemaOf(TEST_EVENT), payload)).toEqual([]);
  });
});
