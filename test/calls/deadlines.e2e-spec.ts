import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { callRow, eventsOf } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** The test's own requests take real time, more of it on a busy machine. */
const MARGIN_SECONDS = 20;

const secondsBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

describe('call deadlines', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp({ env: { QUEUE_ABSENCE_SECONDS: '300' } });
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  beforeEach(async () => {
    ({ department, link } = await tenant.queue({ max_wait_time: 3600 }));
  });

  afterEach(() => test.clock.resume());

  afterAll(() => test.close());

  const transition = (id: string, action: string) => agent.api.post(`/api/v1/calls/${id}/${action}`);

  /** Checks that the status changes `seconds` from now and not MARGIN_SECONDS earlier. @returns the changed row */
  async function expectChangeAfter(id: string, seconds: number): Promise<Json> {
    const before = await callRow(test, id);
    test.clock.advance(seconds - MARGIN_SECONDS);
    await sweep(test);
    expect(await callRow(test, id)).toMatchObject({ status: before.status, version: before.version });
    test.clock.advance(MARGIN_SECONDS + 1);
    // The sweeper of the service handles the deadline within about a second.
    return until(
      async () => {
        const row = await callRow(test, id);
        return row.status !== before.status && row;
      },
      () => `still ${before.status}`,
    );
  }

  it('mark a call as missed when the agent does not start it within 60 s', async () => {
    await setMaxUnanswered(test, department.id, 1);
    test.clock.stop();
    const { call_id } = await tenant.join(link);
    test.clock.advance(10);
    await transition(call_id, 'assign');
    const row = await expectChangeAfter(call_id, 60);
    expect(row).toMatchObject({ status: 'missed', end_reason: 'timeout', user_id: agent.id, wait_time: 10 });
    expect(row).toMatchObject({ duration: null, completed_at: null, next_deadline: null });
    expect(await eventsOf(test, call_id)).toEqual(['call.queued', 'call.assigned', 'call.missed']);
  });

  it('restart the ring timeout when the call is reassigned', async () => {
    const { call_id } = await tenant.join(link);
    await transition(call_id, 'assign');
    test.clock.advance(50);
    await agent.api.post(`/api/v1/calls/${call_id}/assign`, { user_id: tenant.owner.id });
    await expectChangeAfter(call_id, 60);
  });

  it("abandon a call that waits longer than the department's max_wait_time", async () => {
    const queue = await tenant.queue({ max_wait_time: 240 });
    const { call_id } = await tenant.join(queue.link);
    const row = await expectChangeAfter(call_id, 240);
    expect(row).toMatchObject({
      status: 'abandoned',
      end_reason: 'abandoned',
      user_id: null,
      duration: null,
    });
    expect(row.wait_time).toBe(Math.floor(secondsBetween(row.inserted_at, row.ended_at)));
    expect(row.wait_time).toBeGreaterThanOrEqual(240);
  });

  it('abandon a waiting call 300 s after its last customer socket has closed', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const [firstTab, secondTab] = await Promise.all([
      TestSocket.connect(test.url, websocket_token),
      TestSocket.connect(test.url, websocket_token),
    ]);
    firstTab.close();
    test.clock.advance(600);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', absence_deadline: null });
    secondTab.close();
    await until(async () => (await callRow(test, call_id)).absence_deadline);
    const row = await expectChangeAfter(call_id, 300);
    expect(row).toMatchObject({ status: 'abandoned', end_reason: 'abandoned', absent_since: null });
  });

  it('keep a waiting call in the queue while its customer polls the status', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    (await TestSocket.connect(test.url, websocket_token)).close();
    await until(async () => (await callRow(test, call_id)).absence_deadline);
    for (let minute = 0; minute < 3; minute++) {
      test.clock.advance(270);
      const poll = await test.api.get(`/api/v1/call/status/${call_id}`);
      expect(poll.body.data).toMatchObject({ status: 'queued', position: 1 });
    }
    // A recorded poll counts for a tenth longer.
    expect((await expectChangeAfter(call_id, 330)).status).toBe('abandoned');
  });

  it('keep a waiting call in the queue for 300 s after any poll', async () => {
    const { call_id } = await tenant.join(link);
    const poll = () => test.api.get(`/api/v1/call/status/${call_id}`);
    // The first two polls are recorded; the last one is not, 20 s after the second.
    for (const seconds of [29, 31, 20]) {
      test.clock.advance(seconds);
      expect((await poll()).body.data).toMatchObject({ status: 'queued' });
    }
    const recorded = await callRow(test, call_id);
    expect(secondsBetween(recorded.inserted_at, recorded.absent_since)).toBeLessThan(80);
    test.clock.advance(299);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued' });
    test.clock.advance(32);
    await until(async () => (await callRow(test, call_id)).status === 'abandoned');
  });

  it('keep a waiting call in the queue for 300 s after a poll soon after the join', async () => {
    const { call_id } = await tenant.join(link);
    test.clock.advance(29);
    await test.api.get(`/api/v1/call/status/${call_id}`);
    test.clock.advance(299);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued' });
  });

  it('keep a waiting call in the queue when its customer reconnects in time', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    (await TestSocket.connect(test.url, websocket_token)).close();
    await until(async () => (await callRow(test, call_id)).absence_deadline);
    test.clock.advance(270);
    const reconnected = await TestSocket.connect(test.url, websocket_token);
    test.clock.advance(270);
    await sweep(test);
    expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', absence_deadline: null });
    reconnected.close();
  });

  it('abandon a waiting call 300 s after the join when its customer neither connects nor polls', async () => {
    const { call_id } = await tenant.join(link);
    expect(await callRow(test, call_id)).toMatchObject({ absent_since: expect.any(Date) });
    const row = await expectChangeAfter(call_id, 300);
    expect(row).toMatchObject({ status: 'abandoned', end_reason: 'abandoned', absence_deadline: null });
  });

  it('keep a waiting call in the queue while its customer, who never connected, polls or resumes', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const seen = [
      () => test.api.get(`/api/v1/call/status/${call_id}`),
      () => test.api.post('/api/v1/call/resume', { websocket_token }),
      // Within 30 s of a recorded poll nothing is written.
      () => test.api.get(`/api/v1/call/status/${call_id}`),
    ];
    for (const [index, see] of seen.entries()) {
      test.clock.advance(index === 2 ? 10 : 270);
      expect((await see()).body.data).toMatchObject({ status: 'queued', position: 1 });
    }
    expect((await expectChangeAfter(call_id, 320)).status).toBe('abandoned');
  });

  it('ignore the absence of customers from an active call who never connected a socket', async () => {
    test.clock.stop();
    const activeCall = await tenant.join(link);
    await transition(activeCall.call_id, 'start');
    test.clock.advance(800);
    await sweep(test);
    expect(await callRow(test, activeCall.call_id)).toMatchObject({ status: 'active', next_deadline: null });
    await transition(activeCall.call_id, 'complete');
    const row = await callRow(test, activeCall.call_id);
    expect(row).toMatchObject({ status: 'completed', wait_time: 0 });
    expect(row.duration).toBe(Math.floor(secondsBetween(row.started_at, row.completed_at)));
    expect(row.duration).toBeGreaterThanOrEqual(800);
  });

  it('end all calls when many are due at once', async () => {
    const queue = await tenant.queue({ max_wait_time: 240 });
    const { call_id } = await tenant.join(queue.link);
    await test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name,
         estimated_wait_time, wait_deadline, inserted_at, updated_at)
       SELECT tenant_id, 'queued', department_id, department_name, 'Customer ' || n, 0, wait_deadline,
         inserted_at, updated_at FROM calls, generate_series(1, 130) n WHERE id = $1`,
      [call_id],
    );
    test.clock.advance(241);
    await sweep(test);
    const { rows } = await test.db.query(
      'SELECT status, count(*)::int FROM calls WHERE department_id = $1 GROUP BY status',
      [queue.department.id],
    );
    expect(rows).toEqual([{ status: 'abandoned', count: 131 }]);
  });

  it('do not change a call that has already ended', async () => {
    const { call_id } = await tenant.join(link);
    await transition(call_id, 'assign');
    await transition(call_id, 'complete');
    const before = await callRow(test, call_id);
    test.clock.advance(10_000);
    await sweep(test);
    expect(await callRow(test, call_id)).toEqual(before);
  });
});
