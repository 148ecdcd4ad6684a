import { Database } from '../../src/platform/database/database';
import { expectStatus, TestTenant } from '../support/builders';
import { RaceLine } from '../support/contexts/offer-races';
import { pendingOffer } from '../support/contexts/offers';
import { createSkill } from '../support/contexts/skills';
import { activeCall, transfer } from '../support/contexts/transfers';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let line: RaceLine;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  // The metrics are those of all companies, and the shared application may handle offers of other specs.
  test = await startTestApp();
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  line = await RaceLine.open(test, tenant);
  test.clock.stop();
  await choose('paused');
});

afterEach(() => {
  line.close();
  test.clock.reset();
});

afterAll(() => test.close());

/** The value of a series of /metrics; 0 if it does not exist yet. */
async function valueOf(series: string): Promise<number> {
  const text = await (await fetch(`${test.url}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(found?.split(' ')[1] ?? 0);
}

const timed = () =>
  Promise.all(
    ['count', 'sum', 'bucket{le="0.1"}', 'bucket{le="0.25"}'].map((name) =>
      valueOf(`vcq_offer_latency_seconds_${name}`),
    ),
  );

/** Waits until these offers are timed. @returns what they added: their number, seconds, and those up to 0.1 and 0.25 s */
async function latenciesOf(count: number, offer: () => Promise<unknown>): Promise<number[]> {
  const before = await timed();
  await offer();
  const increases = async () => (await timed()).map((value, index) => value - (before[index] ?? 0));
  await until(async () => ((await increases())[0] ?? 0) >= count);
  return increases();
}

const choose = async (state: 'available' | 'paused') => expectStatus(await line.choose(state), 200);
const join = async (): Promise<string> => (await tenant.join(line.link)).call_id;
const answer = async (id: string, how: 'accept' | 'decline') =>
  expectStatus(await line.agent.api.post(`/api/v1/offers/${id}/${how}`), 200);

/** Changes something by which a call can be offered, which takes 200 ms because another transaction has locked the call. */
async function offerLate(callId: string, change: () => Promise<unknown>): Promise<void> {
  await test.get(Database).tenant(tenant.id, async (tx) => {
    await tx.query('SELECT FROM calls WHERE id = $1 FOR NO KEY UPDATE', [callId]);
    await change();
    test.clock.advance(0.2);
  });
  await pendingOffer(line.agent, callId);
}

const ONE_OFFER_AT_ONCE = [1, 0, 1, 1];
const ONE_LATE_OFFER = [1, expect.closeTo(0.2, 5), 0, 1];

describe('the number of offers', () => {
  it('is counted by the statuses that they get', async () => {
    const series = ['pending', 'declined', 'withdrawn'].map(
      (status) => `vcq_offers_total{status="${status}"}`,
    );
    const before = await Promise.all(series.map(valueOf));
    await choose('available');
    await join();
    await answer((await pendingOffer(line.agent)).id, 'decline');
    const second = await join();
    await pendingOffer(line.agent, second);
    await choose('paused');
    const increases = async () =>
      (await Promise.all(series.map(valueOf))).map((value, index) => value - (before[index] ?? 0));
    await until(async () => ((await increases())[2] ?? 0) > 0);
    expect(await increases()).toEqual([2, 1, 1]);
  });
});

describe('the latency of an offer', () => {
  it('begins when the agent becomes available, however long the call has waited', async () => {
    const call = await join();
    test.clock.advance(20);
    expect(await latenciesOf(1, () => offerLate(call, () => choose('available')))).toEqual(ONE_LATE_OFFER);
  });

  it('begins when the call joins, however long the agent has been idle', async () => {
    await choose('available');
    test.clock.advance(20);
    expect(await latenciesOf(1, join)).toEqual(ONE_OFFER_AT_ONCE);
  });

  it('begins when the agent declines another call, although they stay idle', async () => {
    await choose('available');
    await join();
    const { id } = await pendingOffer(line.agent);
    const waiting = await join();
    test.clock.advance(10);
    expect(await latenciesOf(1, () => offerLate(waiting, () => answer(id, 'decline')))).toEqual(
      ONE_LATE_OFFER,
    );
  });

  it('begins when the agent is no longer excluded from the call', async () => {
    await choose('available');
    await join();
    const { id } = await pendingOffer(line.agent);
    await answer(id, 'decline');
    const made = latenciesOf(1, async () => test.clock.advance(10.2));
    expect(await made).toEqual(ONE_LATE_OFFER);
  });

  it('begins when the call enters the line of the department by a transfer', async () => {
    const { link } = await tenant.queue();
    const { call_id, websocket_token } = await activeCall(tenant, link, tenant.owner);
    await connect(websocket_token);
    await choose('available');
    test.clock.advance(20);
    const move = () => transfer(tenant.owner, call_id, { department_id: line.department.id });
    expect(await latenciesOf(1, move)).toEqual(ONE_OFFER_AT_ONCE);
  });

  it('begins when any member may take the call, which no agent with its skills has taken', async () => {
    const skills = [{ skill_id: await createSkill(tenant), min_level: 1 }];
    const link = (await tenant.link(line.department.id, { skills })) as { token: string };
    const { websocket_token } = await tenant.join(link);
    await connect(websocket_token);
    await choose('available');
    const made = latenciesOf(1, async () => test.clock.advance(line.department.skill_relax_after + 0.2));
    expect(await made).toEqual(ONE_LATE_OFFER);
  });

  it('is not that of an offer to an agent whom a supervisor names', async () => {
    await choose('available');
    const call = await join();
    await answer((await pendingOffer(line.agent, call)).id, 'decline');
    const force = async () => {
      const forced = { user_id: line.agent.id };
      expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call}/offer`, forced), 201);
    };
    expect(await latenciesOf(0, force)).toEqual([0, 0, 0, 0]);
  });
});
