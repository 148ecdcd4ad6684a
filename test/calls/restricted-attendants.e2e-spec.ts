import type { Json } from '../support/http/api';
import { send } from '../support/authorisation/attempt';
import { MATRIX } from '../support/authorisation/matrix';
import { Scene } from '../support/authorisation/scene';
import { expectStatus, type Member, someId } from '../support/builders';
import { rowsDigest } from '../support/authorisation/rows-digest';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

/** Every route to one call that attendants may take. */
const CALL_ROUTES = Object.entries(MATRIX).filter(
  ([route, { statuses }]) => /\/api\/v1\/calls\/\{/.test(route) && statuses[1] < 400,
);

let test: TestApp;
let scene: Scene;
/** Belongs to the scene's own department alone. */
let attendant: Member;
let colleague: Member;
let elsewhere: { department: Json; link: Json };
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  const patience = { RING_TIMEOUT_SECONDS: '36000', QUEUE_ABSENCE_SECONDS: '36000' };
  test = await startTestApp({ env: patience });
  scene = await Scene.open(test);
  attendant = scene.member('attendant') as Member;
  elsewhere = await scene.tenant.queue({ max_queue_size: 1000, max_wait_time: 36_000 });
  colleague = await scene.tenant.member('attendant', [elsewhere.department.id]);
  await restrict(true);
});

afterAll(() => test.close());

const restrict = async (restrict_attendants: boolean) =>
  expectStatus(await scene.tenant.owner.api.put('/api/v1/tenant', { restrict_attendants }), 200);

const move = async (id: string, step: string, who: Member, body?: Json) =>
  expectStatus(await who.api.post(`/api/v1/calls/${id}/${step}`, body), 200);

/** A call elsewhere in this state, the colleague's if anybody's. */
async function hiddenCall(status: string): Promise<Json> {
  const entry = await scene.with(elsewhere.link).entry();
  const steps = { queued: [], assigned: ['assign'], active: ['assign', 'start'], completed: ['complete'] };
  for (const step of steps[status as keyof typeof steps]) await move(entry.call_id, step, colleague);
  return entry;
}

/** Of what events the socket was told something that has one of these texts in it, after its snapshots. */
const toldOf = (socket: TestSocket, ...texts: string[]): string[] =>
  socket.received
    .filter(({ event }) => event !== 'snapshot')
    .filter((item) => texts.some((text) => JSON.stringify(item).includes(text)))
    .map(({ event }) => event);

/** Everything that was sent before now has arrived. */
const settled = (socket: TestSocket) => socket.send('snapshot');

const listed = async (query: string): Promise<Json> =>
  (await attendant.api.get(`/api/v1/calls?page_size=100&${query}`)).body;

/** A call from its beginning to its rating, with a customer who gets lost in between. */
async function wholeCall(link: Json, agent: Member): Promise<string> {
  const { call_id, websocket_token } = await scene.tenant.join(link);
  const [customer, staff] = [await connect(websocket_token), await connect(agent.token)];
  await move(call_id, 'assign', scene.tenant.owner, { user_id: agent.id });
  await staff.send('join_call', { call_id });
  await move(call_id, 'start', agent);
  customer.close();
  await staff.waitFor('peer_disconnected', (news) => news.call_id === call_id);
  await move(call_id, 'complete', agent);
  expectStatus(await test.api.post(`/api/v1/call/evaluate/${call_id}`, { rating: 5 }), 200);
  await staff.waitFor('call_updated', (news) => news.call_id === call_id && news.rating === 5);
  return call_id;
}

const isCallNews = (event: string): boolean => event.startsWith('call_');

const isOf = (department: Json) => (news: Json) => news.department_id === department.id;

describe('over REST, a restricted attendant', () => {
  it('has been tried with every route to a call', () => {
    expect(CALL_ROUTES.length).toBeGreaterThanOrEqual(4);
  });

  it.each(CALL_ROUTES)(
    'finds no call of another department, as if there were none: %s',
    async (route, row) => {
      const attempt = (await row.attempt?.(scene.with(elsewhere.link), 'attendant')) ?? {};
      const before = await rowsDigest(test.db, scene.tenant.id);
      const answer = await send(test, route, attempt, attendant);
      const [, ...rest] = attempt.ids ?? [];
      const unknown = await send(test, route, { ...attempt, ids: [someId(), ...rest] }, attendant);
      expectStatus(answer, 404);
      expect(answer.body).toEqual(unknown.body);
      expect(await rowsDigest(test.db, scene.tenant.id)).toEqual(before);
    },
  );

  it.each(CALL_ROUTES)('works with those of their own department: %s', async (route, row) => {
    const attempt = (await row.attempt?.(scene, 'attendant')) ?? {};
    expectStatus(await send(test, route, attempt, attendant), row.statuses[1]);
  });

  it.each(CALL_ROUTES)(
    'works with those that were assigned to them, while they are: %s',
    async (route, row) => {
      const given = (await row.attempt?.(scene.with(elsewhere.link), 'attendant')) ?? {};
      const taken = (await row.attempt?.(scene.with(elsewhere.link), 'attendant')) ?? {};
      for (const { ids = [] } of [given, taken]) {
        await move(ids[0] ?? '', 'assign', scene.tenant.owner, { user_id: attendant.id });
      }
      await move(taken.ids?.[0] ?? '', 'assign', scene.tenant.owner, { user_id: colleague.id });
      expectStatus(await send(test, route, given, attendant), row.statuses[1]);
      expectStatus(await send(test, route, taken, attendant), 404);
    },
  );

  it('finds nothing of the others in the list, whatever is asked for', async () => {
    const { department } = elsewhere;
    const entry = await scene.tenant.join(elsewhere.link, {
      name: 'Hidden Helga',
      email: 'helga@example.com',
    });
    await move(entry.call_id, 'assign', colleague);
    const own = await scene.entry();
    for (const query of [
      `department_id=${department.id}&status=queued`,
      `user_id=${colleague.id}`,
      'search=Hidden',
      'search=helga@example.com',
    ]) {
      expect([query, await listed(query)]).toMatchObject([query, { data: [], meta: { total_count: 0 } }]);
    }
    for (const query of ['', 'status=assigned', 'sort_by=customer_name&sort_order=asc']) {
      const { data, meta } = await listed(query);
      expect(meta.total_count).toBe(data.length);
      const foreign = data.filter(
        (call: Json) => call.department_id !== scene.department.id && call.user_id !== attendant.id,
      );
      expect(foreign).toEqual([]);
    }
    expect((await listed('')).data.map(({ id }: Json) => id)).toContain(own.call_id);
  });
});

describe('over the socket, a restricted attendant', () => {
  it.each(['queued', 'assigned', 'active', 'completed'])(
    'is told of a call elsewhere that is %s what is told of no call at all',
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
      await Promise.all([customer, agent].map(settled));
      expect([...customer.all('signal'), ...agent.all('signal')]).toEqual([]);
    },
  );

  it('sees in the snapshot their own departments’ lines and their own calls', async () => {
    const waiting = await scene.tenant.join(elsewhere.link, { name: 'Hidden Hans' });
    const talking = await hiddenCall('active');
    const given = await hiddenCall('queued');
    await move(given.call_id, 'assign', scene.tenant.owner, { user_id: attendant.id });
    const own = await scene.entry();
    const socket = await connect(attendant.token);
    const snapshots = [socket.received[0]?.payload, (await socket.send('snapshot')).data];
    for (const { queues, active_calls } of snapshots) {
      expect(queues.map((line: Json) => line.department_id)).toEqual([scene.department.id]);
      expect(queues[0].calls.map((call: Json) => call.id)).toContain(own.call_id);
      expect(active_calls.map((call: Json) => call.id)).toContain(given.call_id);
      const text = JSON.stringify({ queues, active_calls });
      for (const hidden of [waiting.call_id, talking.call_id, 'Hidden Hans'])
        expect(text).not.toContain(hidden);
    }
  });

  const WHOLE = ['call_assigned', 'call_started', 'call_updated', 'call_ended', 'call_updated'];

  it('hears of their department’s calls, and of no others', async () => {
    const [socket, owner] = [await connect(attendant.token), await connect(scene.tenant.owner.token)];
    const hidden = await wholeCall(elsewhere.link, colleague);
    const own = await wholeCall(scene.link, scene.user);
    await owner.waitFor('queue_updated', isOf(elsewhere.department));
    await socket.waitFor('queue_updated', isOf(scene.department));
    await settled(socket);
    expect(toldOf(socket, hidden, elsewhere.department.id)).toEqual([]);
    expect(toldOf(socket, own).filter(isCallNews)).toEqual(WHOLE);
  });

  it('hears of a call elsewhere from its assignment to them until it is handed over', async () => {
    const socket = await connect(attendant.token);
    const given = await wholeCall(elsewhere.link, attendant);
    await settled(socket);
    expect(toldOf(socket, given).filter(isCallNews)).toEqual(WHOLE);

    const { call_id, websocket_token } = await hiddenCall('queued');
    await move(call_id, 'assign', scene.tenant.owner, { user_id: attendant.id });
    expect(await socket.send('join_call', { call_id })).toMatchObject({ ok: true });
    await move(call_id, 'assign', scene.tenant.owner, { user_id: colleague.id });
    // That it is no longer theirs is the last they hear of it.
    await socket.waitFor(
      'call_assigned',
      (news) => news.call_id === call_id && news.user_id === colleague.id,
    );
    const heard = socket.received.length;
    const customer = await connect(websocket_token);
    await move(call_id, 'start', colleague);
    await customer.waitFor('call_started');
    expect(await customer.send('signal', OFFER)).toEqual({ ok: true });
    await move(call_id, 'complete', colleague);
    await customer.waitFor('call_ended');
    for (const event of ['join_call', 'signal', 'end_call']) {
      const ack = await socket.send(event, { call_id, ...(event === 'signal' ? OFFER : {}) });
      expect([event, ack]).toMatchObject([event, { ok: false }]);
    }
    expect(JSON.stringify(socket.received.slice(heard))).not.toContain(call_id);
  });

  it('becomes one, and ceases to be one, with the socket open', async () => {
    const socket = await connect(attendant.token);
    const [one, two, three] = [
      await hiddenCall('queued'),
      await hiddenCall('queued'),
      await hiddenCall('queued'),
    ];
    await restrict(false);
    expect(await socket.send('end_call', { call_id: one.call_id })).toMatchObject({ ok: true });
    await restrict(true);
    const refusal = { ok: false, error: { code: 'not_found', detail: 'Call not found.' } };
    expect(await socket.send('end_call', { call_id: two.call_id })).toEqual(refusal);
    await restrict(false);
    expect(await socket.send('end_call', { call_id: three.call_id })).toMatchObject({ ok: true });
    await restrict(true);
  });
});
