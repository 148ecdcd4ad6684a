import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import {
  type ReportQuery,
  callsIn,
  daysOf,
  expectedAgent,
  expectedMetrics,
  expectedOfOverview,
  expectedHours,
  expectedTrends,
} from '../support/contexts/expected-metrics';
import {
  arbitraryCalls,
  arbitraryOffers,
  arbitraryPeriods,
  replaceCalls,
} from '../support/contexts/arbitrary-calls';
import { refreshViews } from '../support/contexts/refresh-views';
import { raceRounds } from '../support/race-rounds';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ZONES = ['CET', 'America/New_York', 'Asia/Kolkata', 'UTC'];
/**
 * The tenant's time zone: frequent in the generated queries, so that the views answer about half of them. PostgreSQL would
 * take it for a fixed offset.
 */
const OWN_ZONE = 'CET';
const SERVICE_LEVEL_SECONDS = 25;
const ALL_ROUNDS = 30;

/** The period of the same length directly before the queried one. */
function previousPeriod(asked: ReportQuery): ReportQuery {
  const shifted = (day: string) =>
    DateTime.fromISO(day)
      .minus({ days: daysOf(asked).length })
      .toFormat('yyyy-MM-dd');
  return { ...asked, date_from: shifted(asked.date_from), date_to: shifted(asked.date_to) };
}

describe('the figures of the reports', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let departments: string[];
  let agents: string[];

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    departments = [(await tenant.department()).id, (await tenant.department()).id];
    const member = await tenant.member('attendant', [departments[0] ?? '']);
    agents = [tenant.owner.id, member.id];
    const settings = { timezone: OWN_ZONE, service_level_seconds: SERVICE_LEVEL_SECONDS };
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', settings), 200);
  });

  afterAll(() => test.close());

  const reportQueries = (): fc.Arbitrary<ReportQuery> =>
    fc
      .record({
        first: fc.integer({ min: 0, max: 40 }),
        length: fc.integer({ min: 0, max: 35 }),
        timezone: fc.constantFrom(...Array<string>(5).fill(OWN_ZONE), ...ZONES),
        threshold: fc.constantFrom(...Array<number>(5).fill(SERVICE_LEVEL_SECONDS), 0, 40),
        department_id: fc.option(fc.constantFrom(...departments), { nil: undefined }),
        user_id: fc.option(fc.constantFrom(...agents), { nil: undefined, freq: 3 }),
      })
      .map(({ first, length, ...rest }) => {
        const start = DateTime.fromISO('2025-10-01').plus({ days: first });
        return {
          date_from: start.toFormat('yyyy-MM-dd'),
          date_to: start.plus({ days: length }).toFormat('yyyy-MM-dd'),
          ...rest,
        };
      });

  async function report(of: string, asked: ReportQuery, extra: Record<string, string> = {}): Promise<Json> {
    const { threshold, ...rest } = asked;
    const query = new URLSearchParams({ service_level_seconds: String(threshold), ...extra });
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, value);
    const answer = await tenant.owner.api.get(`/api/v1/analytics/${of}?${query.toString()}`);
    expectStatus(answer, 200);
    return answer.body;
  }

  it('match a recount of the calls for any time zone, period, department and agent, from the views and from the calls', async () => {
    const rounds = raceRounds(ALL_ROUNDS, 10);
    const reportsBySource = { views: 0, calls: 0 };
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        const calls = draw(() => arbitraryCalls(departments, agents));
        const offers = draw(() => arbitraryOffers(calls, departments, agents));
        const periods = draw(() => arbitraryPeriods(agents));
        const asked = draw(reportQueries);
        const interval = draw(() => fc.constantFrom('day', 'week', 'month'));
        await replaceCalls(test.db, tenant.id, calls, offers, periods);
        await refreshViews(test);

        const trends = await report('trends', asked, { interval });
        expect(trends.data).toEqual(expectedTrends(calls, asked, interval));
        reportsBySource[trends.meta.refreshed_at === null ? 'calls' : 'views']++;

        expect((await report('hourly', asked)).data).toEqual(expectedHours(calls, asked));

        const { online_agents, current_longest_wait, previous, ...figures } = (
          await report('overview', asked)
        ).data;
        const asksFor = callsIn(calls, asked);
        expect(figures).toEqual({
          ...expectedMetrics(asksFor, asked.threshold),
          ...expectedOfOverview(asksFor),
        });
        expect(previous).toEqual(expectedMetrics(callsIn(calls, previousPeriod(asked)), asked.threshold));
        // No agent is connected, so only agents in a call count; the member belongs to the first department.
        const busy = agents.filter((id) =>
          calls.some(({ status, user_id }) => status === 'active' && user_id === id),
        );
        const counted = busy.filter(
          (id) =>
            [undefined, id].includes(asked.user_id) &&
            (asked.department_id === undefined ||
              (asked.department_id === departments[0] && id === agents[1])),
        );
        expect(online_agents).toBe(counted.length);
        // Calls wait in the queues of departments: those of a deleted department are cancelled.
        const waiting = calls.filter(
          ({ status, department_id }) =>
            status === 'queued' &&
            department_id !== null &&
            [undefined, department_id].includes(asked.department_id),
        );
        expect(current_longest_wait === null).toBe(waiting.length === 0 || asked.user_id !== undefined);

        const now = test.clock.now();
        const agentRows = (await report('agents', asked)).data.map(
          ({ user_name: _name, ...row }: Json) => row,
        );
        for (const row of agentRows)
          expect(row).toEqual(expectedAgent({ calls, offers, periods }, row.user_id, asked, now));
        if (asked.user_id === undefined && asked.department_id === undefined) {
          expect(agentRows).toHaveLength(agents.length);
        }
      }),
      { numRuns: rounds, endOnFailure: true },
    );
    // A few rounds may happen to ask for one source only.
    if (rounds === ALL_ROUNDS) {
      expect(Math.min(reportsBySource.views, reportsBySource.calls)).toBeGreaterThan(5);
    }
  });
});
