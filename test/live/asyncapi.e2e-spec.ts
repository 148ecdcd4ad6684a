import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ResumeLinks } from '../../src/calls/callbacks/resume-links';
import { LiveGateway } from '../../src/live/live.gateway';
import { SocketServer } from '../../src/live/socket-server';
import { QueueAlerts } from '../../src/routing/alerts/queue-alerts';
import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { resume, tokenOf } from '../support/contexts/callbacks';
import { automaticQueue, availableAgent } from '../support/contexts/offers';
import { openFor } from '../support/contexts/opening-hours';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { schemaErrors, refsIn, resolve } from '../support/http/json-schema';
import { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const root = join(__dirname, '..', '..');
const text = readFileSync(join(root, 'docs/asyncapi.yaml'), 'utf8');
const document: Json = parse(text);
const operations: [string, Json][] = Object.entries(document.operations);

/** The messages of all operations with this action, under the keys of components.messages. */
function messagesOf(action: 'send' | 'receive'): [key: string, message: Json][] {
  return operations
    .filter(([, operation]) => operation.action === action)
    .flatMap(([, operation]) => operation.messages)
    .map(({ $ref }: { $ref: string }) => [$ref.split('/').at(-1) ?? '', resolve(document, $ref)]);
}

const namesOf = (action: 'send' | 'receive') =>
  [...new Set(messagesOf(action).map(([, message]) => message.name))].toSorted();

describe('docs/asyncapi.yaml', () => {
  it('is an AsyncAPI 3 document without dangling references or unused messages', () => {
    expect(document.asyncapi).toBe('3.0.0');
    for (const ref of refsIn(document)) expect(resolve(document, ref)).toBeDefined();
    const inUse = operations.flatMap(([, { messages, reply }]) => [...messages, ...(reply?.messages ?? [])]);
    const declared = Object.keys(document.channels.socket.messages);
    expect([...new Set(inUse.map(({ $ref }) => $ref.split('/').at(-1)))].toSorted()).toEqual(
      declared.toSorted(),
    );
    expect(Object.keys(document.components.messages).toSorted()).toEqual(declared.toSorted());
  });

  it('documents exactly the events that the gateway handles, each with its acknowledgement', () => {
    const methods = Object.values(Object.getOwnPropertyDescriptors(LiveGateway.prototype));
    const handled = methods
      .map(({ value }) => Reflect.getMetadata('message', value) as string | undefined)
      .filter((name) => name !== undefined);
    expect(namesOf('receive')).toEqual(handled.toSorted());
    for (const [name, { action, reply }] of operations) {
      expect([name, reply !== undefined]).toEqual([name, action === 'receive']);
    }
  });

  it('documents exactly the events that src/live emits', () => {
    const sources = globSync('src/live/**/!(*.spec).ts', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8'),
    );
    const emitted = sources.flatMap((source) =>
      [
        ...source.matchAll(
          /\b(?:emit|emitTo|emitLocally|sendToCustomer|sendToStaff|sendToParticipants)\((?:[^;]*?,\s+)??'(\w+)'/g,
        ),
      ].map(([, name]) => name),
    );
    expect(namesOf('send')).toEqual([...new Set(emitted)].toSorted());
  });

  it('documents only events that docs/realtime.md describes', () => {
    const prose = readFileSync(join(root, 'docs/realtime.md'), 'utf8');
    for (const name of [...namesOf('send'), ...namesOf('receive')]) expect(prose).toContain(`\`${name}\``);
  });

  it('has examples that match their schemas', () => {
    for (const [key, { payload, examples = [] }] of Object.entries<Json>(document.components.messages)) {
      for (const example of examples)
        expect([key, schemaErrors(document, payload, example.payload)]).toEqual([key, []]);
    }
  });
});

describe('the service', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  const faultsByMessage = new Map<string, string[]>();
  const faultsByOperation = new Map<string, string[]>();

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue();
    agent = await tenant.member('attendant', [department.id]);
    await runSession(department, link, await tenant.department());
  });

  afterAll(() => test.close());

  it('serves docs/asyncapi.yaml', async () => {
    const response = await test.api.get('/docs/asyncapi.yaml');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/yaml/);
    expect(response.body).toBe(text);
  });

  it.each(messagesOf('send'))('sends %s as documented', (key, message) => {
    expect(faultsByMessage.get(key)).toEqual([]);
    expect(message.payload).toBeDefined();
  });

  it.each(Object.keys(document.operations).filter((name) => name.startsWith('receive')))(
    'acknowledges %s as documented',
    (name) => expect(faultsByOperation.get(name)).toEqual([]),
  );

  /** Sends every event of the document, and causes every event of the service, at least once. */
  async function runSession(department: Json, link: { token: string }, target: Json): Promise<void> {
    const owner = await TestSocket.connect(test.url, tenant.owner.token);
    const staff = await TestSocket.connect(test.url, agent.token);
    await sendChecked(staff, 'watch_department', { department_id: department.id });
    // Nobody is a member of this department.
    await tenant.join((await tenant.queue()).link);
    await tenant.owner.api.put('/api/v1/tenant', { alert_nobody_available: true });
    await test.get(QueueAlerts).check();
    await owner.waitFor('alert');
    for (const { data } of test.get(SocketServer).localSockets()) data.expires_at = Date.now() + 30_000;
    await owner.waitFor('token_expiring');
    const leaver = await tenant.join(link);
    const leaverSocket = await TestSocket.connect(test.url, leaver.websocket_token);
    await sendChecked(leaverSocket, 'leave_queue');
    const callbacks = await tenant.queue({ callback_enabled: true });
    await tenant.join(callbacks.link);
    const away = await tenant.join(callbacks.link);
    const awaySocket = await TestSocket.connect(test.url, away.websocket_token);
    await sendChecked(awaySocket, 'request_callback', { channel: 'email', email: 'joao@example.com' });
    await awaySocket.waitFor('callback_changed');
    await sendChecked(awaySocket, 'cancel_callback');
    const resumeUrl = test.get(ResumeLinks).urlOf(away.call_id, callbacks.link.token);
    await resume(test, tokenOf(resumeUrl));
    await awaySocket.waitFor('taken_over');
    const ringing = await tenant.join(link);
    const ringingSocket = await TestSocket.connect(test.url, ringing.websocket_token);
    await agent.api.post(`/api/v1/calls/${ringing.call_id}/assign`);
    await missRingTimeout(test, ringing.call_id);
    await ringingSocket.waitFor('call_requeued');
    const closing = await tenant.queue({ opening_hours: openFor(test, -60, 15) });
    const ending = await tenant.join(closing.link);
    const endingSocket = await TestSocket.connect(test.url, ending.websocket_token);
    const hours = { opening_hours: openFor(test, -60, 5), on_close: 'end' };
    await tenant.owner.api.put(`/api/v1/departments/${closing.department.id}`, hours);
    await endingSocket.waitFor('queue_closing');
    const moving = await tenant.join(link);
    const movingSocket = await TestSocket.connect(test.url, moving.websocket_token);
    await agent.api.post(`/api/v1/calls/${moving.call_id}/start`);
    await agent.api.post(`/api/v1/calls/${moving.call_id}/transfer`, { department_id: target.id });
    await movingSocket.waitFor('call_transferred');
    const offering = await automaticQueue(tenant);
    const colleague = await availableAgent(tenant, (token) => TestSocket.connect(test.url, token), [
      offering.department.id,
    ]);
    await tenant.join(offering.link);
    const { offer: declined } = await colleague.socket.waitFor('offer');
    await sendChecked(colleague.socket, 'decline_offer', { offer_id: declined.id, reason: 'Lunch' });
    await tenant.join(offering.link);
    const { offer: accepted } = await colleague.socket.waitFor(
      'offer',
      ({ offer }) => offer.id !== declined.id,
    );
    await sendChecked(colleague.socket, 'accept_offer', { offer_id: accepted.id });
    await staff.waitFor('snapshot');
    const transfer = { user_id: agent.id, note: 'Refund' };
    await until(async () => {
      const { status } = await colleague.api.post(`/api/v1/calls/${accepted.call_id}/transfer`, transfer);
      return status === 200;
    });
    const { offer: passed } = await staff.waitFor('offer');
    await agent.api.post(`/api/v1/offers/${passed.id}/decline`);
    await colleague.socket.waitFor('transfer_ended');
    const { call_id, websocket_token } = await tenant.join(link, { email: 'joao@example.com', phone: '1' });
    const first = await TestSocket.connect(test.url, websocket_token);
    await first.waitFor('queue_position');
    // Sent at most four times a second, so it may come after the events below.
    await owner.waitFor('queue_updated');
    await staff.waitFor('queue_updated', ({ calls }) => calls?.length > 0);
    await sendChecked(staff, 'unwatch_department', { department_id: department.id });
    await sendChecked(staff, 'set_presence', { presence: 'away' });
    await sendChecked(staff, 'authenticate', { token: agent.token });
    await sendChecked(first, 'device_report', {
      camera: 'ok',
      microphone: 'ok',
      network: 'good',
      relay: true,
    });
    await agent.api.post(`/api/v1/calls/${call_id}/assign`);
    await sendChecked(staff, 'join_call', { call_id });
    await sendChecked(staff, 'signal', { description: { type: 'offer', sdp: 'v=0\r\n' } });
    await first.waitFor('signal');
    await agent.api.post(`/api/v1/calls/${call_id}/start`);
    await first.waitFor('call_started');
    await converse(first, staff);
    await sendChecked(first, 'snapshot');
    first.close();
    await staff.waitFor('peer_disconnected');
    const reconnected = await TestSocket.connect(test.url, websocket_token);
    await sendChecked(reconnected, 'signal', { candidate: { candidate: '', sdpMid: '0', sdpMLineIndex: 0 } });
    await staff.waitFor('signal');
    await staff.waitFor('peer_reconnected');
    await sendChecked(reconnected, 'renegotiate', {});
    await staff.waitFor('renegotiate');
    const otherPage = await TestSocket.connect(test.url, websocket_token);
    await otherPage.waitFor('peer_ready');
    await sendChecked(otherPage, 'take_over');
    await reconnected.waitFor('taken_over');
    await sendChecked(staff, 'end_call', { call_id });
    await reconnected.waitFor('call_ended');
    await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 });
    await owner.waitFor('call_updated', (update) => update.rating === 5);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: false });
    for (const socket of [
      leaverSocket,
      awaySocket,
      ringingSocket,
      endingSocket,
      movingSocket,
      first,
      reconnected,
      otherPage,
    ])
      checkReceived(socket, 'customer');
    for (const socket of [owner, staff, colleague.socket]) checkReceived(socket, 'staff');
    for (const socket of [
      ringingSocket,
      endingSocket,
      movingSocket,
      reconnected,
      otherPage,
      owner,
      staff,
      colleague.socket,
    ])
      socket.close();
  }

  /** Sends every event of the conversation of a call. */
  async function converse(customer: TestSocket, staff: TestSocket): Promise<void> {
    await sendChecked(customer, 'chat_message', { text: 'Hello', client_id: '1' });
    await staff.waitFor('chat_message');
    await sendChecked(staff, 'chat_message', { text: 'Good morning' });
    await sendChecked(staff, 'media_state', { audio: true, video: true, screen: false });
    await customer.waitFor('media_state');
    await sendChecked(customer, 'quality_report', { rtt_ms: 80, loss: 0.01, bitrate: 1_200_000 });
    await sendChecked(staff, 'recording_state', { recording: 'requested' });
    await sendChecked(customer, 'recording_state', { recording: 'requested', consent: true });
    await sendChecked(staff, 'recording_state', { recording: 'on' });
    await customer.waitFor('recording_state', ({ recording }) => recording === 'on');
  }

  /** Checks the received events against the messages for this kind of socket, or for both kinds. */
  function checkReceived(socket: TestSocket, kind: 'customer' | 'staff'): void {
    const other = kind === 'customer' ? 'staff' : 'customer';
    for (const { event, payload } of socket.received) {
      const found = messagesOf('send').find(([key, { name }]) => name === event && !key.startsWith(other));
      const [key, message] = found ?? [event, { payload: { enum: [] } }];
      faultsByMessage.set(key, [
        ...(faultsByMessage.get(key) ?? []),
        ...schemaErrors(document, message.payload, payload),
      ]);
    }
  }

  /** Sends an event and checks it and its acknowledgement against the document. A rejection counts as a fault. */
  async function sendChecked(socket: TestSocket, event: string, payload?: Json): Promise<void> {
    const [name, operation] = operations.find(
      ([, { action, messages }]) =>
        action === 'receive' && resolve(document, messages[0].$ref).name === event,
    ) ?? ['', {}];
    const eventFaults = schemaErrors(
      document,
      resolve(document, operation.messages[0].$ref).payload,
      payload,
    );
    const ackSchema = resolve(document, operation.reply.messages[0].$ref).payload;
    const ack = await socket.send(event, payload);
    faultsByOperation.set(name, [
      ...(faultsByOperation.get(name) ?? []),
      ...eventFaults,
      ...schemaErrors(document, ackSchema, ack),
    ]);
  }
});
