import { LineEntrySweeper } from '../../src/calls/line/line-entry-sweeper';
import { LinePresenceSweeper } from '../../src/calls/line/line-presence-sweeper';
import type { Json } from '../support/http/api';
import { type Member, expectStatus, someId, TestTenant } from '../support/builders';
import { changeCall, changeDepartment, entryOf, secondsAfter } from '../support/contexts/line';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { callRow } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let department: Json;
let link: Json;
let entry: Json;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({ env: { ACCESS_TOKEN_TTL: '1000000' } });
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
});

beforeEach(async () => {
  ({ department, link } = await tenant.queue({ max_wait_time: 36_000 }));
  await changeDepartment(test, department.id, { routing: 'automatic' });
  entry = await tenant.join(link);
});

afterAll(() => test.close());

const lineEntry = () => entryOf(test, entry.call_id);

const poll = async () => expectStatus(await test.api.get(`/api/v1/call/status/${entry.call_id}`), 200);

async function sweepLine(): Promise<void> {
  await test.get(LinePresenceSweeper).sweep();
  await test.get(LineEntrySweeper).sweep();
}

/** Sweeps until the entry is changed: what the application's own sweep has locked is left to it. */
const waitFor = (matches: (found: Json) => boolean) =>
  until(async () => {
    await sweepLine();
    return matches(await lineEntry());
  });

describe('a customer without a socket', () => {
  it('is present for 30 s after the join, and again after a poll', async () => {
    test.clock.advance(20);
    await sweepLine();
    expect(await lineEntry()).toMatchObject({ present: true });
    test.clock.advance(11);
    await waitFor(({ present }) => !present);
    await poll();
    const { present, present_until } = await lineEntry();
    expect(present).toBe(true);
    expect(Number(present_until)).toBeGreaterThan(Number(secondsAfter(test.clock.now(), 20)));
    expect(Number(present_until)).toBeLessThanOrEqual(Number(secondsAfter(test.clock.now(), 30)));
  });

  it('is present again after a resume', async () => {
    test.clock.advance(31);
    await waitFor(({ present }) => !present);
    const { websocket_token } = entry;
    expectStatus(await test.api.post('/api/v1/call/resume', { websocket_token }), 200);
    expect(await lineEntry()).toMatchObject({ present: true });
  });

  it('is recorded by polls at most every 3 s', async () => {
    test.clock.stop();
    test.clock.advance(10);
    await poll();
    const { present_until } = await lineEntry();
    expect(present_until).toEqual(secondsAfter(test.clock.now(), 30));
    test.clock.advance(2.9);
    await poll();
    expect(await lineEntry()).toMatchObject({ present_until });
    test.clock.advance(0.2);
    await poll();
    expect(await lineEntry()).toMatchObject({ present_until: secondsAfter(present_until, 3.1) });
    test.clock.reset();
  });

  it.each([
    ['poll', poll],
    [
      'resume',
      async () =>
        expectStatus(
          await test.api.post('/api/v1/call/resume', { websocket_token: entry.websocket_token }),
          200,
        ),
    ],
  ])(
    'is present for 30 s after a %s while an agent had the call, if it returns to the line',
    async (_, see) => {
      test.clock.stop();
      expectStatus(await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`), 200);
      test.clock.advance(31);
      await see();
      const seenAt = test.clock.now();
      test.clock.advance(2);
      await see();
      expect((await callRow(test, entry.call_id)).version).toBe(2);
      await missRingTimeout(test, entry.call_id);
      expect(await lineEntry()).toMatchObject({ present: true });
      expect((await lineEntry()).present_until - Number(seenAt)).toBeLessThanOrEqual(32_000);
      expect((await lineEntry()).present_until - Number(seenAt)).toBeGreaterThanOrEqual(30_000);
      test.clock.reset();
    },
  );

  it('is absent if they were not seen for 30 s while an agent had the call', async () => {
    expectStatus(await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`), 200);
    await poll();
    test.clock.advance(31);
    await missRingTimeout(test, entry.call_id);
    expect(await lineEntry()).toMatchObject({ present: false });
  });

  it('is not recorded for the line of a department whose agents pick their calls', async () => {
    await changeDepartment(test, department.id, { routing: 'manual' });
    test.clock.advance(5);
    // This one also moves the absence deadline of the call, which the entry follows.
    await poll();
    const { present_until } = await lineEntry();
    test.clock.advance(10);
    await poll();
    expect(await lineEntry()).toMatchObject({ present_until });
  });
});

describe('a customer with a socket', () => {
  it('is present until the last socket is closed', async () => {
    const sockets = [await connect(entry.websocket_token), await connect(entry.websocket_token)];
    expect(await lineEntry()).toMatchObject({ present: true, present_until: Infinity });
    test.clock.advance(60);
    await poll();
    await sweepLine();
    expect(await lineEntry()).toMatchObject({ present: true, present_until: Infinity });
    sockets[0]?.close();
    await until(async () => {
      const { rows } = await test.db.query('SELECT FROM connections WHERE call_id = $1', [entry.call_id]);
      return rows.length === 1;
    });
    expect(await lineEntry()).toMatchObject({ present: true });
    sockets[1]?.close();
    await until(async () => !(await lineEntry()).present);
    expect(await lineEntry()).toMatchObject({ present_until: -Infinity });
    await poll();
    expect(await lineEntry()).toMatchObject({ present: true });
    await connect(entry.websocket_token);
    expect(await lineEntry()).toMatchObject({ present: true, present_until: Infinity });
  });
});

describe('the needs of a waiting call', () => {
  it('end with the reservation and with skill_relax_after', async () => {
    const skill = someId();
    await changeCall(test, entry.call_id, {
      reserved_user_id: agent.id,
      required_skills: JSON.stringify([{ skill_id: skill, min_level: 2 }]),
    });
    const reserved = { reserved_user_id: agent.id, skill_ids: [skill], min_levels: [2] };
    expect(await lineEntry()).toMatchObject(reserved);
    test.clock.advance(31);
    await waitFor(({ reserved_user_id }) => reserved_user_id === null);
    const skilled = await lineEntry();
    expect(skilled).toMatchObject({ reserved_until: null, skill_ids: [skill], min_levels: [2] });
    test.clock.advance(30);
    await waitFor(({ relax_at }) => relax_at === null);
    const free = await lineEntry();
    expect(free).toMatchObject({ skill_ids: [], min_levels: [], present: false, next_deadline: null });
    const { lane } = await entryOf(test, (await tenant.join(link)).call_id);
    expect(free.lane).toBe(lane);
    expect(skilled.lane).not.toBe(lane);
    // The call keeps what its link required.
    const { required_skills, reserved_user_id, version } = await callRow(test, entry.call_id);
    expect({ required_skills, reserved_user_id, version }).toEqual({
      required_skills: [{ skill_id: skill, min_level: 2 }],
      reserved_user_id: agent.id,
      version: 1,
    });
  });
});
