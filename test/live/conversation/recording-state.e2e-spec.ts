import type { Json } from '../../support/http/api';
import { expectStatus, TestTenant } from '../../support/builders';
import { callRow, oneTo } from '../../support/database/rows';
import { conversations } from '../../support/contexts/conversations';
import type { TestSocket } from '../../support/sockets/socket';

const { scene, connect, activeCall } = conversations();

it('a call begins without a recording, as both sides are told', async () => {
  const { customer, joined } = await activeCall();
  const recording_state = { recording: 'off', consent: null };
  expect(joined.data).toMatchObject({ recording_state });
  expect(customer.all('snapshot')[0]).toMatchObject({ recording_state });
});

/** Sends a change that is accepted. @returns the state after it */
async function change(socket: TestSocket, move: Json): Promise<Json> {
  const ack = await socket.send('recording_state', move);
  expect(ack).toMatchObject({ ok: true });
  return ack.data;
}

const codeOf = async (socket: TestSocket, move: Json) =>
  (await socket.send('recording_state', move)).error?.code;

const detailsOf = async (callId: string): Promise<Json> =>
  (await scene.tenant.owner.api.get(`/api/v1/calls/${callId}`)).body.data;

async function entriesOf(callId: string): Promise<Json[]> {
  const { body } = await scene.tenant.owner.api.get(`/api/v1/calls/${callId}/timeline`);
  return body.data.filter(({ type }: Json) => type === 'recording_state');
}

/** A call that is being recorded. */
async function recordedCall() {
  const call = await activeCall();
  await change(call.agent, { recording: 'requested' });
  await change(call.customer, { recording: 'requested', consent: true });
  expect(await change(call.agent, { recording: 'on' })).toEqual({ recording: 'on', consent: true });
  return call;
}

describe('the recording of a call', () => {
  it('begins after the customer has agreed, and both sides learn each step', async () => {
    const { call_id, websocket_token, customer, agent } = await activeCall();
    const tab = await connect(websocket_token);
    const { version } = await callRow(scene.test, call_id);
    const head = { call_id, at: expect.any(String) };
    const steps: [TestSocket, Json, Json][] = [
      [agent, { recording: 'requested' }, { from: 'agent', recording: 'requested', consent: null }],
      [
        customer,
        { recording: 'requested', consent: true },
        { from: 'customer', recording: 'requested', consent: true },
      ],
      [agent, { recording: 'on', call_id }, { from: 'agent', recording: 'on', consent: true }],
      [agent, { recording: 'off' }, { from: 'agent', recording: 'off', consent: true }],
    ];
    for (const [index, [socket, move, expected]] of steps.entries()) {
      const { from: _from, ...state } = expected;
      expect(await change(socket, move)).toEqual(state);
      for (const other of [customer, agent, tab]) {
        expect(await other.waitFor('recording_state', (one) => one.version === version + index + 1)).toEqual({
          ...head,
          version: version + index + 1,
          ...expected,
        });
      }
    }
    for (const number of oneTo(4))
      await agent.waitFor('call_updated', (one) => one.version === version + number);
    expect(await entriesOf(call_id)).toMatchObject([
      { participant: 'agent', recording: 'requested', consent: null, user_id: scene.ana.id },
      { participant: 'customer', recording: 'requested', consent: true },
      { participant: 'agent', recording: 'on', consent: true },
      { participant: 'agent', recording: 'off', consent: true },
    ]);
  });

  it('is refused without consent, and the refusal of the customer ends it', async () => {
    const { call_id, customer, agent } = await activeCall();
    expect(await codeOf(agent, { recording: 'on' })).toBe('consent_required');
    expect(await codeOf(customer, { recording: 'requested', consent: true })).toBe('not_requested');
    await change(agent, { recording: 'requested' });
    expect(await codeOf(agent, { recording: 'on' })).toBe('consent_required');
    expect(await codeOf(agent, { recording: 'requested', consent: true })).toBe('forbidden');
    expect(await change(customer, { recording: 'requested', consent: false })).toEqual({
      recording: 'off',
      consent: false,
    });
    expect(await agent.waitFor('recording_state', ({ from }) => from === 'customer')).toMatchObject({
      recording: 'off',
      consent: false,
    });
    expect(await codeOf(agent, { recording: 'on' })).toBe('consent_required');
    expect(await callRow(scene.test, call_id)).toMatchObject({ recording: 'off', recording_consent: false });

    // The customer agrees when asked again, and withdraws it while the recording runs.
    await change(agent, { recording: 'requested' });
    await change(customer, { recording: 'requested', consent: true });
    await change(agent, { recording: 'on' });
    await change(customer, { recording: 'off', consent: false });
    expect(await codeOf(agent, { recording: 'on' })).toBe('consent_required');
  });

  it('survives reloads, and the details have the consent with its time', async () => {
    const { call_id, websocket_token } = await recordedCall();
    const answeredAt = (await callRow(scene.test, call_id)).recording_consent_at;
    const [snapshot] = (await connect(websocket_token)).all('snapshot');
    expect(snapshot?.recording_state).toEqual({ recording: 'on', consent: true });
    const reloaded = await connect(scene.ana.token);
    expect(await reloaded.send('join_call', { call_id })).toMatchObject({
      data: { recording_state: { recording: 'on', consent: true } },
    });
    expect((await detailsOf(call_id)).recording_state).toEqual({
      recording: 'on',
      consent: true,
      consent_at: answeredAt.toISOString(),
    });
  });

  it('changes nothing when it is repeated', async () => {
    const { call_id, customer, agent } = await recordedCall();
    const before = await callRow(scene.test, call_id);
    await change(agent, { recording: 'on' });
    await change(agent, { recording: 'requested' });
    await change(customer, { recording: 'requested', consent: true });
    expect(await callRow(scene.test, call_id)).toEqual(before);
    expect(await entriesOf(call_id)).toHaveLength(3);
  });

  it('ends with the call, whose consent stays', async () => {
    const { call_id, customer, agent } = await recordedCall();
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expect(await customer.waitFor('recording_state', ({ recording }) => recording === 'off')).toMatchObject({
      from: 'agent',
      consent: true,
    });
    await customer.waitFor('call_ended');
    expect(customer.received.map(({ event }) => event).slice(-2)).toEqual(['recording_state', 'call_ended']);
    expect((await detailsOf(call_id)).recording_state).toMatchObject({ recording: 'off', consent: true });
    expect((await entriesOf(call_id)).at(-1)).toMatchObject({ participant: 'agent', recording: 'off' });
    expect(await codeOf(agent, { recording: 'on', call_id })).toBe('invalid_state');
  });

  it('ends when another agent gets the call, who may record with the same consent', async () => {
    const { call_id, customer, agent } = await recordedCall();
    const { id } = await scene.tenant.department();
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/transfer`, { department_id: id }), 200);
    for (const socket of [customer, agent])
      await socket.waitFor('recording_state', ({ recording }) => recording === 'off');
    expect((await entriesOf(call_id)).at(-1)).toMatchObject({ recording: 'off', user_id: scene.ana.id });
    expect(await codeOf(customer, { recording: 'requested', consent: false })).toBe('invalid_state');
    expectStatus(await scene.bob.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const next = await connect(scene.bob.token);
    expect(await next.send('join_call', { call_id })).toMatchObject({
      data: { recording_state: { recording: 'off', consent: true } },
    });
    expect(await codeOf(agent, { recording: 'on', call_id })).toBe('not_your_call');
    expect(await change(next, { recording: 'on' })).toEqual({ recording: 'on', consent: true });
  });

  it('is lifted from a request by a hand-over before the start', async () => {
    const { call_id, websocket_token } = await scene.tenant.join(scene.link);
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    const [customer, agent] = [await connect(websocket_token), await connect(scene.ana.token)];
    await change(agent, { recording: 'requested', call_id });
    const owner = scene.tenant.owner.api;
    expectStatus(await owner.post(`/api/v1/calls/${call_id}/assign`, { user_id: scene.bob.id }), 200);
    await customer.waitFor('recording_state', ({ recording }) => recording === 'off');
    expect(await callRow(scene.test, call_id)).toMatchObject({ recording: 'off', recording_consent: null });
    expect(await codeOf(customer, { recording: 'requested', consent: true })).toBe('not_requested');
  });

  it.each([[{ recording: 'paused' }], [{}], [{ recording: 'requested', consent: 'yes' }]])(
    'is not changed by %j',
    async (move) => {
      const { agent } = await activeCall();
      expect(await codeOf(agent, move)).toBe('validation_failed');
    },
  );

  it('is changed by participants of the call alone', async () => {
    const { call_id } = await activeCall();
    const foreign = await TestTenant.register(scene.test);
    expect(await codeOf(await connect(scene.bob.token), { call_id, recording: 'requested' })).toBe(
      'not_your_call',
    );
    expect(await codeOf(await connect(foreign.owner.token), { call_id, recording: 'requested' })).toBe(
      'invalid_state',
    );
    const waiting = await connect((await scene.tenant.join(scene.link)).websocket_token);
    expect(await codeOf(waiting, { recording: 'requested', consent: false })).toBe('invalid_state');
  });
});
