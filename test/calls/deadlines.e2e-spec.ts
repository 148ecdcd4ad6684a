import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow, eventsOf } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** The test's own requests take real time, more of it on a busy machine. */
const MARGIN_SECONDS = 20;

const secondsBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

describe('deadlines of a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  beforeEach(async () => {
    ({ department, link } = await tenant.queue({ max_wait_time: 900 }));
  });

  afterAll(() => test.close());

  const move = (id: string, action: string) => agent.api.post(`/api/v1/calls/${id}/${action}`);

  /** Nothing has happened shortly before `seconds` have passed, and something has afterwards. */
  async function settlesAfter(id: string, seconds: number): Promise<Json> {
    const before = await callRow(test, id);
    test.clock.advance(seconds - MARGIN_SECONDS);
    await sweep(test);
    expect(await callRow(test, id)).toMatchObject({ status: before.status, version: before.version });
    test.clock.advance(MARGIN_SECONDS + 1);
    // By itself: the service's own sweeper has it within about a second.
    return until(
      async () => {
        const row = await callRow(test, id);
        return row.status !== before.status && row;
      },
      () => `still ${before.status}`,
      2500,
    );
  }

  it('an agent who does not start in 60 s has missed it', async () => {
    const { call_id } = await tenant.join(link);
    test.clock.advance(10);
    await move(call_id, 'assign');
    const row = await settlesAfter(call_id, 60);
    expect(row).toMatchObject({ status: 'missed', end_reason: 'timeout', user_id: agent.id, wait_time: 10 });
    expect(row).toMatchObject({ duration: null, completed_at: null, next_deadline: null });
    expect(await eventsOf(test, call_id)).toEqual(['call.queued', 'call.assigned', 'call.missed']);
  });

  it('handing over lets it ring for the whole time again', async () => {
    const { call_id } = await tenant.join(link);
    await move(call_id, 'assign');
    test.clock.advance(50);
    await agent.api.post(`/api/v1/calls/${call_id}/assign`, { user_id: tenant.owner.id });
    await settlesAfter(call_id, 60);
  });

  it("whoever waits longer than the department's max_wait_time gives up", async () => {
    const { call_id } = await tenant.join(link);
    const row = await settlesAfter(call_id, 900);
    expect(row).toMatchObject({
      status: 'abandoned',
      end_reason: 'abandoned',
      user_id: null,
      duration: null,
    });
    expect(row.wait_time).toBe(Math.floor(secondsBetween(row.inserted_at, row.ended_at)));
    expect(row.wait_time).toBeGreaterThanOrEqual(900);
  });

  it('a customer who is 60 s without a socket has left', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const [one, other] = await Promise.all([
      TestSocket.connect(test.url, websocket_token),
      TestSocket.connect(test.url, websocket_token),
    ]);
    one.close();
    test.clock.advance(120);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', absence_deadline: null });
    other.close();
    await until(async () => (await callRow(test, call_id)).absence_deadline);
    const row = await settlesAfter(call_id, 60);
    expect(row).toMatchObject({ status: 'abandoned', end_reason: 'abandoned' });
  });

  it('polling keeps the place, until it stops', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    (await TestSocket.connect(test.url, websocket_token)).close();
    await until(async () => (await callRow(test, call_id)).absence_deadline);
    for (let minute = 0; minute < 3; minute++) {
      test.clock.advance(50);
      const poll = await test.api.get(`/api/v1/call/status/${call_id}`);
      expect(poll.body.data).toMatchObject({ status: 'queued', position: 1 });
    }
    expect((await settlesAfter(call_id, 60)).status).toBe('abandoned');
  });

  it('a customer who comes back to the queue stays in it', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    (await TestSocket.connect(test.url, websocket_token)).close();
    await until(async () => (await callRow(test, call_id)).absence_deadline);
    test.clock.advance(59);
    const back = await TestSocket.connect(test.url, websocket_token);
    test.clock.advance(59);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', absence_deadline: null });
    back.close();
  });

  it('whoever never had a socket is never absent: calls over REST alone go on', async () => {
    const [waiting, talking] = [await tenant.join(link), await tenant.join(link)];
    await move(talking.call_id, 'start');
    test.clock.advance(800);
    await sweep(test);
    expect(await callRow(test, waiting.call_id)).toMatchObject({ status: 'queued' });
    expect(await callRow(test, talking.call_id)).toMatchObject({ status: 'active', next_deadline: null });
    await move(talking.call_id, 'complete');
    const row = await callRow(test, talking.call_id);
    expect(row).toMatchObject({ status: 'completed', wait_time: 0 });
    expect(row.duration).toBe(Math.floor(secondsBetween(row.started_at, row.completed_at)));
    expect(row.duration).toBeGreaterThanOrEqual(800);
  });

  it('settles a great many that are due at once', async () => {
    const { call_id } = await tenant.join(link);
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name,
         estimated_wait_time, wait_deadline, inserted_at, updated_at)
       SELECT tenant_id, 'queued', department_id, department_name, 'Customer ' || n, 0, wait_deadline,
         inserted_at, updated_at FROM calls, generate_series(1, 130) n WHERE id = $1`,
      [call_id],
    );
    test.clock.advance(901);
    await sweep(test);
    const { rows } = await test.db.query(
      'SELECT status, count(*)::int FROM calls WHERE department_id = $1 GROUP BY status',
      [department.id],
    );
    expect(rows).toEqual([{ status: 'abandoned', count: 131 }]);
  });

  it('leaves alone what has been settled in another way', async () => {
    const { call_id } = await tenant.join(link);
    await move(call_id, 'assign');
    await move(call_id, 'complete');
    const before = await callRow(test, call_id);
    test.clock.advance(10_000);
    await sweep(test);
    expect(await callRow(test, call_id)).toEqual(before);
  });
});
