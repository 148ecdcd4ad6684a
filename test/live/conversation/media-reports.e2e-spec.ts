import type { Json } from '../../support/http/api';
import { expectStatus } from '../../support/builders';
import { callRow, eventsOf } from '../../support/database/rows';
import { conversations } from '../../support/contexts/conversations';
import type { TestSocket } from '../../support/sockets/socket';

const { scene, connect, activeCall } = conversations();

afterEach(() => scene.test.clock.resume());

const codeOf = async (socket: TestSocket, event: string, payload: Json) =>
  (await socket.send(event, payload)).error?.code;

const detailsOf = async (callId: string): Promise<Json> =>
  (await scene.tenant.owner.api.get(`/api/v1/calls/${callId}`)).body.data;

async function entriesOf(callId: string, type: string): Promise<Json[]> {
  const answer = await scene.ana.api.get(`/api/v1/calls/${callId}/timeline`);
  expectStatus(answer, 200);
  return answer.body.data.filter((found: Json) => found.type === type);
}

describe('media_state', () => {
  const STATE = { audio: true, video: false, screen: false };

  it('is relayed to the other side alone, and not stored', async () => {
    const { call_id, websocket_token, customer, agent } = await activeCall();
    const tab = await connect(websocket_token);
    const other = await connect(scene.bob.token);
    const before = await callRow(scene.test, call_id);
    const head = { call_id, at: expect.any(String), version: before.version };
    expect(await customer.send('media_state', STATE)).toEqual({ ok: true });
    expect(await agent.waitFor('media_state')).toEqual({ ...head, from: 'customer', ...STATE });
    expect(await agent.send('media_state', { ...STATE, screen: true })).toEqual({ ok: true });
    for (const socket of [customer, tab])
      expect(await socket.waitFor('media_state')).toEqual({ ...head, from: 'agent', ...STATE, screen: true });
    await Promise.all([agent, other].map((socket) => socket.send('snapshot')));
    expect([agent, other].map((socket) => socket.all('media_state').length)).toEqual([1, 0]);
    expect(await callRow(scene.test, call_id)).toEqual(before);
  });

  it('is refused outside of a call, from others, and without all fields', async () => {
    const waiting = await connect((await scene.tenant.join(scene.link)).websocket_token);
    expect(await codeOf(waiting, 'media_state', STATE)).toBe('invalid_state');
    const { call_id, customer } = await activeCall();
    expect(await codeOf(await connect(scene.bob.token), 'media_state', { call_id, ...STATE })).toBe(
      'not_your_call',
    );
    expect(await codeOf(customer, 'media_state', { audio: true, video: 'no' })).toBe('validation_failed');
  });
});

describe('device_report', () => {
  const REPORT = { camera: 'ok', microphone: 'refused', network: 'poor', relay: false };

  it('is in the rows of the line, which staff receive, the list, the details and the timeline', async () => {
    const queue = await scene.tenant.queue();
    const { call_id, websocket_token } = await scene.tenant.join(queue.link);
    const customer = await connect(websocket_token);
    const owner = await connect(scene.tenant.owner.token);
    await owner.send('watch_department', { department_id: queue.department.id });
    await owner.waitFor('queue_updated', ({ calls }) => calls?.[0]?.device_report === null);
    const before = await callRow(scene.test, call_id);
    expect((await detailsOf(call_id)).device_report).toBeNull();
    expect(await customer.send('device_report', REPORT)).toEqual({ ok: true });
    const { calls } = await owner.waitFor('queue_updated', (update) => update.calls?.[0]?.device_report);
    expect(calls).toMatchObject([{ id: call_id, device_report: REPORT }]);

    // The latest one wins.
    const better = { camera: 'ok', microphone: 'ok', network: null, relay: null };
    expect(await customer.send('device_report', { camera: 'ok', microphone: 'ok' })).toEqual({ ok: true });
    await owner.waitFor('queue_updated', (update) => update.calls?.[0]?.device_report?.microphone === 'ok');
    expect((await detailsOf(call_id)).device_report).toEqual(better);
    const list = await scene.tenant.owner.api.get(`/api/v1/calls?department_id=${queue.department.id}`);
    expect(list.body.data).toMatchObject([{ id: call_id, device_report: better }]);
    const { body } = await scene.tenant.owner.api.get(`/api/v1/calls/${call_id}/timeline`);
    expect(body.data.filter(({ type }: Json) => type === 'device_report')).toEqual([
      { at: expect.any(String), type: 'device_report', user_id: null, user_name: null, ...better },
    ]);
    const after = await callRow(scene.test, call_id);
    expect(after).toEqual({
      ...before,
      device_report: better,
      device_reported_at: after.device_reported_at,
    });
    expect(await eventsOf(scene.test, call_id)).toEqual(['call.queued']);
  });

  it('changes nothing when it is repeated, and is limited', async () => {
    const { call_id, websocket_token } = await scene.tenant.join(scene.link);
    const customer = await connect(websocket_token);
    await customer.send('device_report', REPORT);
    const before = await callRow(scene.test, call_id);
    scene.test.clock.advance(1);
    expect(await customer.send('device_report', REPORT)).toEqual({ ok: true });
    expect(await callRow(scene.test, call_id)).toEqual(before);
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(customer, 'device_report', REPORT)),
    );
    expect(codes).toContain('rate_limited');
  });

  it('comes from the customer of a call that has not ended', async () => {
    const { call_id, customer, agent } = await activeCall();
    expect(await customer.send('device_report', REPORT)).toEqual({ ok: true });
    expect(await codeOf(agent, 'device_report', REPORT)).toBe('forbidden');
    expect(await codeOf(customer, 'device_report', { ...REPORT, camera: 'broken' })).toBe(
      'validation_failed',
    );
    expect(await codeOf(customer, 'device_report', { network: 'good' })).toBe('validation_failed');
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expect(await codeOf(customer, 'device_report', { ...REPORT, camera: 'missing' })).toBe('invalid_state');
    expect((await detailsOf(call_id)).device_report).toEqual(REPORT);
  });
});

/** An entry of the timeline about the customer; about an agent, `more` has the user. */
const entry = (more: Json) => ({ at: expect.any(String), user_name: null, user_id: null, ...more });

describe('quality_report', () => {
  it('is summed up for each side in the details, and by minute in the timeline', async () => {
    const { call_id, customer, agent } = await activeCall();
    // At the beginning of a minute, so that the next reports are in the same one.
    scene.test.clock.advance(60 - ((scene.test.clock.now().getTime() / 1000) % 60) + 1);
    const before = await callRow(scene.test, call_id);
    const events = await eventsOf(scene.test, call_id);
    expect((await detailsOf(call_id)).quality).toBeNull();
    expect(await customer.send('quality_report', { rtt_ms: 100, loss: 0.02, bitrate: 900_000 })).toEqual({
      ok: true,
    });
    expect(await codeOf(customer, 'quality_report', { rtt_ms: 1 })).toBe('rate_limited');
    expect(await agent.send('quality_report', { call_id, rtt_ms: 40.4, loss: 0 })).toEqual({ ok: true });
    scene.test.clock.advance(10);
    expect(await customer.send('quality_report', { rtt_ms: 300, loss: null, bitrate: 300_000 })).toEqual({
      ok: true,
    });
    scene.test.clock.advance(60);
    expect(await customer.send('quality_report', { loss: 0.1 })).toEqual({ ok: true });

    const first = { samples: 2, rtt_ms: 200, max_rtt_ms: 300, loss: 0.02, max_loss: 0.02 };
    const bitrates = { bitrate: 600_000, min_bitrate: 300_000 };
    const ofAgent = { samples: 1, rtt_ms: 40, max_rtt_ms: 40, loss: 0, max_loss: 0 };
    const unknown = { bitrate: null, min_bitrate: null };
    expect((await detailsOf(call_id)).quality).toEqual({
      customer: { ...first, samples: 3, loss: 0.06, max_loss: 0.1, ...bitrates },
      agent: { ...ofAgent, ...unknown },
    });
    const type = 'quality_report';
    expect(await entriesOf(call_id, type)).toEqual([
      entry({
        type,
        participant: 'agent',
        ...ofAgent,
        ...unknown,
        user_id: scene.ana.id,
        user_name: expect.any(String),
      }),
      entry({ type, participant: 'customer', ...first, ...bitrates }),
      entry({
        type,
        participant: 'customer',
        samples: 1,
        rtt_ms: null,
        max_rtt_ms: null,
        loss: 0.1,
        max_loss: 0.1,
        ...unknown,
      }),
    ]);
    expect(await callRow(scene.test, call_id)).toEqual(before);
    expect(await eventsOf(scene.test, call_id)).toEqual(events);
  });

  it('is counted once in 10 s, also across minutes and from several sockets at the same time', async () => {
    const { call_id, websocket_token, customer } = await activeCall();
    const tab = await connect(websocket_token);
    scene.test.clock.stop();
    scene.test.clock.advance(60 - ((scene.test.clock.now().getTime() / 1000) % 60) - 4);
    const codes = await Promise.all(
      [customer, tab].map((socket) => codeOf(socket, 'quality_report', { rtt_ms: 10 })),
    );
    expect(codes.toSorted()).toEqual(['rate_limited', undefined]);
    scene.test.clock.advance(6);
    expect(await codeOf(customer, 'quality_report', { rtt_ms: 10 })).toBe('rate_limited');
    scene.test.clock.advance(3);
    expect(await customer.send('quality_report', { rtt_ms: 30 })).toEqual({ ok: true });
    expect((await detailsOf(call_id)).quality).toMatchObject({
      customer: { samples: 2, rtt_ms: 20 },
      agent: null,
    });
  });

  it.each([
    [{}],
    [{ rtt_ms: null, loss: null }],
    [{ rtt_ms: -1 }],
    [{ loss: 1.1 }],
    [{ bitrate: 'fast' }],
    [{ rtt_ms: 1e9 }],
  ])('is refused with %j', async (report) => {
    const { customer } = await activeCall();
    expect(await codeOf(customer, 'quality_report', report)).toBe('validation_failed');
  });

  it('comes from participants of a call in progress', async () => {
    const waiting = await connect((await scene.tenant.join(scene.link)).websocket_token);
    expect(await codeOf(waiting, 'quality_report', { rtt_ms: 1 })).toBe('invalid_state');
    const { call_id } = await activeCall();
    const other = await connect(scene.bob.token);
    expect(await codeOf(other, 'quality_report', { call_id, rtt_ms: 1 })).toBe('not_your_call');
  });
});
