import { expectStatus, type Member, TestTenant } from '../support/builders';
import { bookConfirmed, inMinutes } from '../support/contexts/appointments';
import { callbackRequested, cancelCallback } from '../support/contexts/callbacks';
import { minuteFromNow, openFor } from '../support/contexts/opening-hours';
import { sweep } from '../support/contexts/sweep';
import { activeCall, transfer } from '../support/contexts/transfers';
import { callRow } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const QUEUE = { on_close: 'end', max_wait_time: 86_400, callback_enabled: true };

const noticeFor = (call_id: string, closing: Date): Json => ({
  call_id,
  at: expect.stringMatching(/Z$/),
  closes_at: closing.toISOString(),
  callback_enabled: true,
});

describe('a customer who waits only after the closing was announced', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  /** A department whose closing in five minutes was announced. */
  async function announced(
    input: Json = {},
  ): Promise<{ department: Json; link: { token: string }; closing: Date }> {
    const hours = { opening_hours: openFor(test, -60, 5) };
    const { department, link } = await tenant.queue({ ...QUEUE, ...hours, ...input });
    const closing = minuteFromNow(test, 5);
    await until(
      async () => {
        const { rows } = await test.db.query(
          'SELECT closing_at, closing_deadline FROM departments WHERE id = $1',
          [department.id],
        );
        return [rows[0].closing_at, rows[0].closing_deadline].every(
          (at) => at?.getTime() === closing.getTime(),
        );
      },
      () => 'the closing was not announced',
    );
    return { department, link: link as { token: string }, closing };
  }

  it('is informed after the snapshot, with each socket', async () => {
    const { link, closing } = await announced();
    const { call_id, websocket_token } = await tenant.join(link);
    for (let sockets = 0; sockets < 2; sockets++) {
      const socket = await connect(websocket_token);
      expect(await socket.waitFor('queue_closing')).toEqual(noticeFor(call_id, closing));
      const names = socket.received.map(({ event }) => event);
      expect(names.indexOf('queue_closing')).toBeGreaterThan(names.indexOf('snapshot'));
    }
  });

  it('is not informed with an appointment, with a callback, of a call with an agent, or by other departments', async () => {
    const { department, link } = await announced();
    const user_id = (await tenant.member('attendant', [department.id])).id;
    const times = { starts_at: inMinutes(test, 2), ends_at: inMinutes(test, 4) };
    const booked = await bookConfirmed(tenant, { user_id, department_id: department.id, ...times });
    const appointed = await tenant.join({ token: booked.access_link.url.split('/').at(-1) });
    const away = await tenant.join(link);
    await callbackRequested(test, away);
    const taken = await activeCall(tenant, link, agent);
    const keeping = await tenant.queue({ ...QUEUE, opening_hours: openFor(test, -60, 5), on_close: 'keep' });
    const kept = await tenant.join(keeping.link);
    const walkIn = await tenant.join(link);
    const sockets = [];
    for (const { websocket_token } of [appointed, away, taken, kept])
      sockets.push(await connect(websocket_token));
    await (await connect(walkIn.websocket_token)).waitFor('queue_closing');
    for (const socket of sockets) {
      await socket.send('snapshot');
      expect(socket.all('queue_closing')).toEqual([]);
    }
  });

  it('is informed when the call returns to the queue', async () => {
    const { link, closing } = await announced();
    const { call_id, websocket_token } = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    const socket = await connect(websocket_token);
    test.clock.advance(61);
    await sweep(test);
    await socket.waitFor('call_requeued');
    expect(await socket.waitFor('queue_closing')).toEqual(noticeFor(call_id, closing));
  });

  it('is informed when the call is transferred to the department', async () => {
    const { department, closing } = await announced();
    const { link } = await tenant.queue();
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const socket = await connect(websocket_token);
    await transfer(agent, call_id, { department_id: department.id });
    expect(await socket.waitFor('queue_closing')).toEqual(noticeFor(call_id, closing));
  });

  it('is informed when the callback is taken back, and the call ends at closing', async () => {
    const { link, closing } = await announced();
    const entry = await tenant.join(link);
    await callbackRequested(test, entry);
    const socket = await connect(entry.websocket_token);
    expectStatus(await cancelCallback(test, entry), 204);
    expect(await socket.waitFor('queue_closing')).toEqual(noticeFor(entry.call_id, closing));
    test.clock.advance(5 * 60);
    await socket.waitFor('call_ended');
    expect(await callRow(test, entry.call_id)).toMatchObject({ status: 'abandoned' });
  });
});
