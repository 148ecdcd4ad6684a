import { expectStatus, type Member, TestTenant } from '../support/builders';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';
import { DELIVERED } from '../support/sockets/signals';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

describe('when a call returns to the queue', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => {
    ({ department, link } = await tenant.queue());
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const assign = async (id: string, member = agent) =>
    expectStatus(await member.api.post(`/api/v1/calls/${id}/assign`), 200);

  it('its customer receives call_requeued with the place, and positions again', async () => {
    const [first, second] = [await tenant.join(link), await tenant.join(link)];
    const customer = await connect(first.websocket_token);
    const next = await connect(second.websocket_token);
    await customer.waitFor('queue_position');
    await assign(first.call_id);
    await customer.waitFor('call_assigned', ({ version }) => version === 2);
    await next.waitFor('queue_position', ({ position }) => position === 1);
    await missRingTimeout(test, first.call_id);

    expect(await customer.waitFor('call_requeued')).toEqual({
      call_id: first.call_id,
      at: expect.any(String),
      version: 3,
      position: 1,
      estimated_wait_time: expect.any(Number),
      estimated_wait_range: null,
      has_estimate: false,
      ringing: false,
    });
    await until(
      () => next.all('queue_position').at(-1)?.position === 2,
      () => 'the next customer was not moved back',
    );
    // The same position as before the assignment is sent again, so that the customer misses no later change.
    await until(
      () => customer.all('queue_position').length === 2,
      () => 'no second queue_position',
    );
    expect(customer.all('queue_position')[1]).toMatchObject({ position: 1, version: 3 });
    expect(await customer.send('snapshot')).toMatchObject({
      ok: true,
      data: { status: 'queued', position: 1, agent: null, version: 3 },
    });
  });

  it('staff and its former agent receive the waiting call', async () => {
    const stranger = await tenant.member();
    const { call_id } = await tenant.join(link);
    const [former, colleague, supervisor] = [
      await connect(stranger.token),
      await connect(agent.token),
      await connect(tenant.owner.token),
    ];
    await colleague.send('watch_department', { department_id: department.id });
    await assign(call_id, stranger);
    await colleague.waitFor('queue_updated', ({ size, calls }) => size === 0 && calls?.length === 0);
    await missRingTimeout(test, call_id);
    for (const socket of [former, colleague, supervisor]) {
      const update = await socket.waitFor('call_updated', (call) => call.call_id === call_id);
      expect(update).toMatchObject({ status: 'queued', user_id: null, wait_time: null, version: 3 });
    }
    await colleague.waitFor('queue_updated', ({ calls }) => calls?.[0]?.id === call_id);
    expect(await former.send('snapshot')).toMatchObject({ ok: true, data: { active_calls: [] } });
  });

  it('no signal is relayed until the next agent has it, and then none of the former agent', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    const former = await connect(agent.token);
    await assign(call_id);
    expect(await former.send('join_call', { call_id })).toMatchObject({ ok: true });
    expect(await former.send('signal', { call_id, ...OFFER })).toEqual(DELIVERED);
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await Promise.all([customer.waitFor('signal'), former.waitFor('signal')]);
    await missRingTimeout(test, call_id);
    await customer.waitFor('call_requeued');
    for (const socket of [customer, former]) {
      expect(await socket.send('signal', { call_id, ...OFFER })).toMatchObject({
        ok: false,
        error: { code: 'invalid_state' },
      });
    }

    const successor = await tenant.member('attendant', [department.id]);
    const taken = await connect(successor.token);
    await assign(call_id, successor);
    expect(await former.send('signal', { call_id, ...OFFER })).toMatchObject({
      ok: false,
      error: { code: 'not_your_call' },
    });
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await taken.waitFor('signal');
    expect(former.all('signal')).toHaveLength(1);
    const { rows } = await test.db.query(
      'SELECT user_id FROM connections WHERE call_id = $1 AND user_id = $2',
      [call_id, agent.id],
    );
    expect(rows).toEqual([]);
  });
});
