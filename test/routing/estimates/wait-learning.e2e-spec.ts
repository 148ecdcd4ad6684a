import fc from 'fast-check';
import { DateTime } from 'luxon';
import { WaitLearner } from '../../../src/calls/queue/learning/wait-learner';
import {
  type EndedWait,
  learnedWaitsOf,
  learnPart,
  learnWait,
  NOTHING_LEARNED,
  ratiosOf,
  type WaitLearning,
} from '../../../src/calls/queue/learning/wait-learning.rules';
import { expectStatus, TestTenant } from '../../support/builders';
import { beginWrapUp } from '../../support/contexts/agents';
import { callbackRequested, unstaffedCallingQueue, cancelCallback } from '../../support/contexts/callbacks';
import {
  answeredWait,
  BUSY_ESTIMATE,
  endWait,
  learnAll,
  learningOf,
  type Line,
  unlearnedCount,
  type Wait,
} from '../../support/contexts/waits';
import { startTestApp, type TestApp, withConnectionPool } from '../../support/test-app';

const TIMEZONE = 'America/Sao_Paulo';
/** A Monday, but still Sunday, 22:30, in the time zone of the company. */
const BEGIN = Date.parse('2026-03-02T01:30:00Z');

let test: TestApp;
let tenant: TestTenant;
let line: Line;
/** Stands for the runs of the application itself, which would take some of the waits in between. */
let ownRuns: jest.SpyInstance;

beforeAll(async () => {
  test = withConnectionPool(await startTestApp());
  ownRuns = jest.spyOn(learner(), 'run').mockResolvedValue(undefined);
  tenant = await TestTenant.register(test);
  await tenant.owner.api.put('/api/v1/tenant', { timezone: TIMEZONE });
});

beforeEach(async () => {
  line = { tenant_id: tenant.id, id: (await tenant.department()).id };
});

afterEach(() => test.clock.reset());

afterAll(() => test.close());

const learner = () => test.get(WaitLearner);
const at = (seconds: number) => new Date(BEGIN + seconds * 1000);
const seconds = (max: number) => fc.integer({ min: 0, max });

const estimate = fc.record({
  queue_length: seconds(600),
  last_wait: fc.option(seconds(600)),
  mean_wait: fc.option(seconds(600)),
  idle: fc.boolean(),
  high: fc.option(seconds(900)),
});
const wait: fc.Arbitrary<Wait> = fc.record({
  waited: seconds(900),
  end: fc.constantFrom('answered', 'answered', 'answered', 'cancelled', 'absence', 'timeout', 'missed'),
  estimate: fc.option(estimate),
  talk: seconds(600),
  wrapUp: fc.option(seconds(60)),
});

/** What the rules say of the same waits, in the order in which the service learns them. */
function expectedOf(waits: { wait: Wait; endedAt: number }[]) {
  let learning: WaitLearning = NOTHING_LEARNED;
  const ended: EndedWait[] = [];
  for (const { wait: one, endedAt } of waits) {
    const outcome = {
      cancelled: 'left',
      absence: 'left',
      answered: 'answered',
      timeout: 'censored',
      missed: 'censored',
    };
    ended.push({
      at: endedAt,
      waited: one.waited,
      outcome: outcome[one.end] as EndedWait['outcome'],
      estimate: one.estimate,
    });
    learning = learnWait(learning, ended.at(-1) as EndedWait);
    if (one.end !== 'answered') continue;
    const handledAt = endedAt + one.talk + (one.wrapUp ?? 0);
    const { weekday, hour } = DateTime.fromSeconds(handledAt, { zone: TIMEZONE });
    const part = { at: handledAt, seconds: one.talk + (one.wrapUp ?? 0), hour: (weekday - 1) * 24 + hour };
    learning = learnPart(learning, part);
  }
  return { learning, waits: learnedWaitsOf(ended) };
}

async function expectLearned(waits: { wait: Wait; endedAt: number }[]): Promise<void> {
  const { learning, waits: kept } = expectedOf(waits);
  const row = await learningOf(test, line.id);
  expect({
    handleTimes: row.handle_times,
    handleTimesByHour: row.handle_times_by_hour,
    waits: row.waits,
    latencies: row.latencies,
    history: row.history,
    inUse: row.in_use,
    wait_count: Number(row.wait_count),
  }).toEqual({
    handleTimes: learning.handleTimes,
    handleTimesByHour: learning.handleTimesByHour,
    waits: learning.waits,
    latencies: learning.latencies,
    history: learning.history,
    inUse: learning.choice.inUse,
    wait_count: kept.length,
  });
  // The ranges are those of a moment at which they were computed: of the first `ratios_count` waits.
  const computed = kept.slice(0, Number(row.ratios_count));
  expect(row.ratios).toEqual(ratiosOf(computed, row.in_use));
}

describe('what a department learns', () => {
  it('is what the rules say, whatever waits end in whatever portions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(wait, { maxLength: 30 }), { maxLength: 4 }), async (portions) => {
        line = { tenant_id: tenant.id, id: (await tenant.department()).id };
        await learner().learn(line);
        const all: { wait: Wait; endedAt: number }[] = [];
        for (const portion of portions) {
          for (const one of portion) {
            const endedAt = at(all.length * 500);
            await endWait(test, line, one, endedAt);
            all.push({ wait: one, endedAt: endedAt.getTime() / 1000 });
          }
          await learnAll(test, line);
        }
        await expectLearned(all);
      }),
      { numRuns: 6 },
    );
  });

  it('is the same if several instances learn while waits end', async () => {
    await learner().learn(line);
    const count = 120;
    const writers = { areDone: false };
    const instances = Array.from({ length: 4 }, async () => {
      while (!writers.areDone) await learner().learn(line);
    });
    for (let round = 0; round < count / 10; round++) {
      await Promise.all(
        Array.from({ length: 10 }, () => endWait(test, line, answeredWait({ waited: 60, talk: 120 }), at(0))),
      );
    }
    writers.areDone = true;
    await Promise.all(instances);
    await learnAll(test, line);
    const row = await learningOf(test, line.id);
    expect(row.handle_times).toEqual({ sum: count * 120, weight: count, at: BEGIN / 1000 + 120 });
    expect(row.waits).toEqual({ sum: 0, weight: count * 60, at: BEGIN / 1000 });
    expect(Number(row.wait_count)).toBe(count);
    const { rows } = await test.db.query('SELECT FROM learned_waits WHERE department_id = $1', [line.id]);
    expect(rows).toHaveLength(count);
  });

  it('begins with the past four weeks, and counts none of it twice', async () => {
    const now = test.clock.now().getTime();
    const day = 24 * 3600 * 1000;
    await endWait(test, line, answeredWait({ waited: 30 }), new Date(now - 29 * day));
    for (const days of [27, 2, 1]) await endWait(test, line, answeredWait(), new Date(now - days * day));
    await endWait(test, line, answeredWait({ end: 'cancelled' }), new Date(now - day));
    // As if they had ended before the triggers recorded them.
    await test.db.query('DELETE FROM ended_waits WHERE department_id = $1 AND id % 2 = 0', [line.id]);
    await Promise.all([learner().learn(line), learner().learn(line), learner().learn(line)]);
    await learnAll(test, line);
    const row = await learningOf(test, line.id);
    expect([row.history, Number(row.wait_count)]).toEqual([[60, 60, 60], 4]);
    expect(await unlearnedCount(test, line.id)).toBe(0);
  });

  it('leaves a part for later whose agent wraps up', async () => {
    const agent = await tenant.member('attendant', [line.id]);
    await learner().learn(line);
    const call = await endWait(test, line, answeredWait({ talk: 100 }), at(0));
    await test.db.query('UPDATE call_parts SET user_id = $2 WHERE call_id = $1', [call, agent.id]);
    await beginWrapUp(test, agent.id);
    await test.db.query(
      'UPDATE presences SET wrap_up_part_id = (SELECT id FROM call_parts WHERE call_id = $2) WHERE user_id = $1',
      [agent.id, call],
    );
    await learner().learn(line);
    expect(await learningOf(test, line.id)).toMatchObject({
      handle_times: { sum: 0 },
      waits: { weight: 60 },
    });
    expect(await unlearnedCount(test, line.id)).toBe(1);
    await test.db.query(
      `WITH ended AS (UPDATE presences SET wrap_up_started_at = NULL, wrap_up_until = NULL, wrap_up_part_id = NULL
         WHERE user_id = $1) UPDATE call_parts SET wrap_up_time = 20 WHERE call_id = $2`,
      [agent.id, call],
    );
    await learner().learn(line);
    expect(await learningOf(test, line.id)).toMatchObject({ handle_times: { sum: 120, weight: 1 } });
  });

  it('counts the time until the first callback that a customer asked for, as censored', async () => {
    const { department, link } = await unstaffedCallingQueue(tenant);
    line = { tenant_id: tenant.id, id: department.id };
    await learner().learn(line);
    test.clock.stop();
    const entry = await tenant.join(link);
    for (const waited of [100, 50]) {
      test.clock.advance(waited);
      await callbackRequested(test, entry);
      test.clock.advance(1000);
      expectStatus(await cancelCallback(test, entry), 204);
    }
    const { api } = test;
    expectStatus(await api.as(entry.websocket_token).post(`/api/v1/call/cancel/${entry.call_id}`), 200);
    await learnAll(test, line);
    expect((await learningOf(test, line.id)).waits).toMatchObject({ sum: 0, weight: 100 });
    // The same if it is learned from the past.
    await test.db.query('DELETE FROM wait_learning WHERE department_id = $1', [line.id]);
    await learnAll(test, line);
    expect((await learningOf(test, line.id)).waits).toMatchObject({ sum: 0, weight: 100 });
  });

  it('keeps the last 3,000 waits', async () => {
    await learner().learn(line);
    await test.db.query(
      `INSERT INTO learned_waits (tenant_id, department_id, queue_length, waited, idle, answered)
       SELECT $1, $2, 10, n, false, true FROM generate_series(1, 3000) AS n`,
      [tenant.id, line.id],
    );
    await endWait(test, line, answeredWait({ waited: 7, estimate: BUSY_ESTIMATE }), at(0));
    await learnAll(test, line);
    const { rows } = await test.db.query(
      'SELECT count(*)::int, min(waited) FILTER (WHERE waited > 7) FROM learned_waits WHERE department_id = $1',
      [line.id],
    );
    expect(rows).toEqual([{ count: 3000, min: 8 }]);
  });

  it('is deleted with the department', async () => {
    await endWait(test, line, answeredWait(), at(0));
    await learner().learn(line);
    await endWait(test, line, answeredWait(), at(0));
    await tenant.owner.api.delete(`/api/v1/departments/${line.id}`);
    expect([await learningOf(test, line.id), await unlearnedCount(test, line.id)]).toEqual([undefined, 0]);
    ownRuns.mockRestore();
    await learner().run();
    expect(await learningOf(test, line.id)).toBeUndefined();
  });
});
