import type { Json } from '../support/http/api';
import { send } from '../support/authorisation/attempt';
import { MATRIX } from '../support/authorisation/matrix';
import { Scene } from '../support/authorisation/scene';
import { expectStatus, type Member, someId } from '../support/builders';
import { rowsDigest } from '../support/authorisation/rows-digest';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { UNDELIVERED } from '../support/sockets/signals';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

/** Every route to one call that attendants may take. */
const CALL_ROUTES = Object.entries(MATRIX).filter(
  ([route, { statuses }]) => /\/api\/v1\/calls\/\{/.test(route) && statuses[1] < 400,
);

let test: TestApp;
let scene: Scene;
/** A member of the scene's own department only. */
let attendant: Member;
let colleague: Member;
let otherQueue: { department: Json; link: Json };
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  const longTimeouts = { RING_TIMEOUT_SECONDS: '36000', QUEUE_ABSENCE_SECONDS: '36000' };
  test = await startTestApp({ env: longTimeouts });
  scene = await Scene.open(test);
  attendant = scene.member('attendant') as Member;
  otherQueue = await scene.tenant.queue({ max_queue_size: 1000, max_wait_time: 36_000 });
  colleague = await scene.tenant.member('attendant', [otherQueue.department.id]);
  await restrict(true);
});

afterAll(() => test.close());

const restrict = async (restrict_attendants: boolean) =>
  expectStatus(await scene.tenant.owner.api.put('/api/v1/tenant', { restrict_attendants }), 200);

const transition = async (id: string, action: string, member: Member, body?: Json) =>
  expectStatus(await member.api.post(`/api/v1/calls/${id}/${action}`, body), 200);

/** Creates a call of the other department with this status. The colleague is its agent if it has one. */
async function hiddenCall(status: string): Promise<Json> {
  const entry = await scene.withLink(otherQueue.link).entry();
  const actions = { queued: [], assigned: ['assign'], active: ['assign', 'start'], completed: ['complete'] };
  for (const action of actions[status as keyof typeof actions])
    await transition(entry.call_id, action, colleague);
  return entry;
}

/** Returns the names of the received events, other than snapshots, that contain one of the texts. */
const eventsContaining = (socket: TestSocket, ...texts: string[]): string[] =>
  socket.received
    .filter(({ event }) => event !== 'snapshot')
    .filter((item) => texts.some((text) => JSON.stringify(item).includes(text)))
    .map(({ event }) => event);

/** Waits until the socket has received everything that was sent before: the response comes last. */
const flush = (socket: TestSocket) => socket.send('snapshot');

const listCalls = async (query: string): Promise<Json> =>
  (await attendant.api.get(`/api/v1/calls?page_size=100&${query}`)).body;

/** Runs a call from joining to rating, with a customer who disconnects in between. @returns its id */
async function runWholeCall(link: Json, agent: Member): Promise<string> {
  const { call_id, websocket_token } = await scene.tenant.join(link);
  const [customer, staff] = [await connect(websocket_token), await connect(agent.token)];
  await transition(call_id, 'assign', scene.tenant.owner, { user_id: agent.id });
  await staff.send('join_call', { call_id });
  await transition(call_id, 'start', agent);
  customer.close();
  await staff.waitFor('peer_disconnected', (payload) => payload.call_id === call_id);
  await transition(call_id, 'complete', agent);
  expectStatus(await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 }), 200);
  await staff.waitFor('call_updated', (update) => update.call_id === call_id && update.rating === 5);
  return call_id;
}

const isCallEvent = (event: string): boolean => event.startsWith('call_');

const isOfDepartment = (department: Json) => (update: Json) => update.department_id === department.id;

describe('over REST, a restricted attendant', () => {
  it('is tested with every route to a call', () => {
    expect(CALL_ROUTES.length).toBeGreaterThanOrEqual(4);
  });

  it.each(CALL_ROUTES)(
    'gets the response for an unknown call when the call is in another department: %s',
    async (route, row) => {
      const attempt = (await row.attempt?.(scene.withLink(otherQueue.link), 'attendant')) ?? {};
      const before = await rowsDigest(test.db, scene.tenant.id);
      const response = await send(test, route, attempt, attendant);
      const [, ...rest] = attempt.ids ?? [];
      const unknown = await send(test, route, { ...attempt, ids: [someId(), ...rest] }, attendant);
      expectStatus(response, 404);
      expect(response.body).toEqual(unknown.body);
      expect(await rowsDigest(test.db, scene.tenant.id)).toEqual(before);
    },
  );

  it.each(CALL_ROUTES)('can use calls of their own department: %s', async (route, row) => {
    const attempt = (await row.attempt?.(scene, 'attendant')) ?? {};
    expectStatus(await send(test, route, attempt, attendant), row.statuses[1]);
  });

  it.each(CALL_ROUTES)(
    'can use calls of another department only while they are assigned to them: %s',
    async (route, row) => {
      const assignedCall = (await row.attempt?.(scene.withLink(otherQueue.link), 'attendant')) ?? {};
      const reassignedCall = (await row.attempt?.(scene.withLink(otherQueue.link), 'attendant')) ?? {};
      for (const { ids = [] } of [assignedCall, reassignedCall]) {
        await transition(ids[0] ?? '', 'assign', scene.tenant.owner, { user_id: attendant.id });
      }
      await transition(reassignedCall.ids?.[0] ?? '', 'assign', scene.tenant.owner, {
        user_id: colleague.id,
      });
      expectStatus(await send(test, route, assignedCall, attendant), row.statuses[1]);
      expectStatus(await send(test, route, reassignedCall, attendant), 404);
    },
  );

  it('finds no other calls in the list with any query', async () => {
    const { department } = otherQueue;
    const entry = await scene.tenant.join(otherQueue.link, {
      name: 'Hidden Helga',
      email: 'helga@example.com',
    });
    await transition(entry.call_id, 'assign', colleague);
    const own = await scene.entry();
    for (const query of [
      `department_id=${department.id}&status=queued`,
      `user_id=${colleague.id}`,
      'search=Hidden',
      'search=helga@example.com',
    ]) {
      expect([query, await listCalls(query)]).toMatchObject([query, { data: [], meta: { total_count: 0 } }]);
    }
    for (const query of ['', 'status=assigned', 'sort_by=customer_name&sort_order=asc']) {
      const { data, meta } = await listCalls(query);
      expect(meta.total_count).toBe(data.length);
      const foreign = data.filter(
        (call: Json) => call.department_id !== scene.department.id && call.user_id !== attendant.id,
      );
      expect(foreign).toEqual([]);
    }
    expect((await listCalls('')).data.map(({ id }: Json) => id)).toContain(own.call_id);
  });
});

describe('over the socket, a restricted attendant', () => {
  it.each(['queued', 'assigned', 'active', 'completed'])(
    'gets the acknowledgements for an unknown call when a call of another department is %s',
    async (status) => {
      const { call_id, websocket_token } = await hiddenCall(status);
      const [customer, agent] = [await connect(websocket_token), await connect(colleague.token)];
      if (status === 'assigned' || status === 'active') await agent.send('join_call', { call_id });
      const socket = await connect(attendant.token);
      const before = await rowsDigest(test.db, scene.tenant.id);
      for (const [event, payload] of [
        ['join_call', {}],
        ['end_call', {}],
        ['signal', OFFER],
      ] as const) {
        const ack = await socket.send(event, { call_id, ...payload });
        expect(ack).toMatchObject({ ok: false });
        expect([event, ack]).toEqual([event, await socket.send(event, { call_id: someId(), ...payload })]);
      }
      expect(await rowsDigest(test.db, scene.tenant.id)).toEqual(before);
      await Promise.all([customer, agent].map(flush));
      expect([...customer.all('signal'), ...agent.all('signal')]).toEqual([]);
    },
  );

  it('receives a snapshot with only the queues of their departments and their own calls', async () => {
    const queuedCall = await scene.tenant.join(otherQueue.link, { name: 'Hidden Hans' });
    const activeCall = await hiddenCall('active');
    const assignedCall = await hiddenCall('queued');
    await transition(assignedCall.call_id, 'assign', scene.tenant.owner, { user_id: attendant.id });
    const own = await scene.entry();
    const socket = await connect(attendant.token);
    const snapshots = [socket.received[0]?.payload, (await socket.send('snapshot')).data];
    for (const { queues, active_calls } of snapshots) {
      expect(queues.map((line: Json) => line.department_id)).toEqual([scene.department.id]);
      expect(queues[0].calls.map((call: Json) => call.id)).toContain(own.call_id);
      expect(active_calls.map((call: Json) => call.id)).toContain(assignedCall.call_id);
      const text = JSON.stringify({ queues, active_calls });
      for (const hidden of [queuedCall.call_id, activeCall.call_id, 'Hidden Hans'])
        expect(text).not.toContain(hidden);
    }
  });

  const WHOLE_CALL_EVENTS = ['call_assigned', 'call_started', 'call_updated', 'call_ended', 'call_updated'];

  it('receives the events of calls of their department and of no others', async () => {
    const [socket, owner] = [await connect(attendant.token), await connect(scene.tenant.owner.token)];
    const hidden = await runWholeCall(otherQueue.link, colleague);
    const own = await runWholeCall(scene.link, scene.user);
    await owner.waitFor('queue_updated', isOfDepartment(otherQueue.department));
    await socket.waitFor('queue_updated', isOfDepartment(scene.department));
    await flush(socket);
    expect(eventsContaining(socket, hidden, otherQueue.department.id)).toEqual([]);
    expect(eventsContaining(socket, own).filter(isCallEvent)).toEqual(WHOLE_CALL_EVENTS);
  });

  it('receives the events of a call of another department from its assignment to them until it is reassigned', async () => {
    const socket = await connect(attendant.token);
    const assignedCall = await runWholeCall(otherQueue.link, attendant);
    await flush(socket);
    expect(eventsContaining(socket, assignedCall).filter(isCallEvent)).toEqual(WHOLE_CALL_EVENTS);

    const { call_id, websocket_token } = await hiddenCall('queued');
    await transition(call_id, 'assign', scene.tenant.owner, { user_id: attendant.id });
    expect(await socket.send('join_call', { call_id })).toMatchObject({ ok: true });
    await transition(call_id, 'assign', scene.tenant.owner, { user_id: colleague.id });
    // The reassignment is the last event of the call that they receive.
    await socket.waitFor(
      'call_assigned',
      (payload) => payload.call_id === call_id && payload.user_id === colleague.id,
    );
    const receivedCount = socket.received.length;
    const customer = await connect(websocket_token);
    await transition(call_id, 'start', colleague);
    await customer.waitFor('call_started');
    expect(await customer.send('signal', OFFER)).toEqual(UNDELIVERED);
    await transition(call_id, 'complete', colleague);
    await customer.waitFor('call_ended');
    for (const event of ['join_call', 'signal', 'end_call']) {
      const ack = await socket.send(event, { call_id, ...(event === 'signal' ? OFFER : {}) });
      expect([event, ack]).toMatchObject([event, { ok: false }]);
    }
    expect(JSON.stringify(socket.received.slice(receivedCount))).not.toContain(call_id);
  });

  it('becomes restricted and unrestricted while the socket is open', async () => {
    const socket = await connect(attendant.token);
    const [first, second, third] = [
      await hiddenCall('queued'),
      await hiddenCall('queued'),
      await hiddenCall('queued'),
    ];
    await restrict(false);
    expect(await socket.send('end_call', { call_id: first.call_id })).toMatchObject({ ok: true });
    await restrict(true);
    const refusal = { ok: false, error: { code: 'not_found', detail: 'Call not found.' } };
    expect(await socket.send('end_call', { call_id: second.call_id })).toEqual(refusal);
    await restrict(false);
    expect(await socket.send('end_call', { call_id: third.call_id })).toMatchObject({ ok: true });
    await restrict(true);
  });
});
