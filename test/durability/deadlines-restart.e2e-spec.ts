import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import { cloneDatabase } from '../support/database/database';
import { callRow } from '../support/database/rows';
import { setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

/** The process that set a deadline has ended when it passes; the next process acts on it. */
describe('a deadline that outlives its process', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let link: Json;

  const start = () => startTestApp({ databaseUrl: database.url, env: { QUEUE_ABSENCE_SECONDS: '250' } });
  // Not `agent.api`, which sends to the first process.
  const move = (id: string, action: string) => test.api.as(agent.token).post(`/api/v1/calls/${id}/${action}`);

  beforeEach(async () => {
    database = await cloneDatabase();
    test = await start();
    tenant = await TestTenant.register(test);
    const { department, link: queueLink } = await tenant.queue({ max_wait_time: 300 });
    link = queueLink;
    await setMaxUnanswered(test, department.id, 1);
    agent = await tenant.member('attendant', [department.id]);
  });

  afterEach(async () => {
    await test.close();
    await database.drop();
  });

  /** Stops the service, starts another one, and lets `seconds` pass. */
  async function restartAndWait(seconds: number): Promise<void> {
    await test.close();
    test = await start();
    test.clock.advance(seconds);
  }

  const waitForStatus = (id: string, status: string) =>
    until(
      async () => {
        const row = await callRow(test, id);
        return row.status === status && row;
      },
      () => `not ${status}`,
    );

  it('ends waiting and ringing calls', async () => {
    const [waiting, ringing] = [await tenant.join(link), await tenant.join(link)];
    await move(ringing.call_id, 'assign');
    await restartAndWait(61);
    expect(await waitForStatus(ringing.call_id, 'missed')).toMatchObject({ end_reason: 'timeout' });
    expect((await callRow(test, waiting.call_id)).status).toBe('queued');
    test.clock.advance(240);
    expect(await waitForStatus(waiting.call_id, 'abandoned')).toMatchObject({ end_reason: 'abandoned' });
  });

  it('ends calls whose customers were disconnected by the stop', async () => {
    const [waiting, talking] = [await tenant.join(link), await tenant.join(link)];
    await TestSocket.connect(test.url, waiting.websocket_token);
    await TestSocket.connect(test.url, talking.websocket_token);
    await move(talking.call_id, 'start');
    await restartAndWait(10);
    expect(await callRow(test, waiting.call_id)).toMatchObject({ status: 'queued' });
    expect((await callRow(test, waiting.call_id)).absence_deadline).not.toBeNull();
    expect(await callRow(test, talking.call_id)).toMatchObject({ status: 'active' });
    test.clock.advance(55);
    expect(await waitForStatus(talking.call_id, 'completed')).toMatchObject({ end_reason: 'disconnect' });
    test.clock.advance(190);
    expect(await waitForStatus(waiting.call_id, 'abandoned')).toMatchObject({ end_reason: 'abandoned' });
  });

  it('does not end a call whose customer reconnects to the new process in time', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const before = await TestSocket.connect(test.url, websocket_token);
    await move(call_id, 'start');
    await before.waitFor('call_started');
    await restartAndWait(10);
    const back = await TestSocket.connect(test.url, websocket_token);
    expect(await back.waitFor('peer_reconnected')).toMatchObject({ participant: 'customer' });
    expect(await callRow(test, call_id)).toMatchObject({ status: 'active', next_deadline: null });
    back.close();
  });
});
