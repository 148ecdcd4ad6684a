import fc from 'fast-check';
import type { Client } from 'pg';

/** The fields of a call that reports read. */
export interface CallRow {
  id: string;
  status: string;
  department_id: string | null;
  user_id: string | null;
  inserted_at: string;
  wait_time: number | null;
  estimated_wait_time: number;
  duration: number | null;
  rating: number | null;
}

/** A presence period of an agent. */
export interface PeriodRow {
  user_id: string;
  presence: string;
  began_at: string;
  ended_at: string;
}

/** Autumn 2025: daylight saving time ends in Berlin on 26 October and in New York on 2 November. */
const FROM = Date.parse('2025-09-20T00:00:00Z');
const SPAN_SECONDS = 70 * 86_400;

/** Times at and around midnight in the time zones of the reports. */
const midnight = fc
  .tuple(fc.integer({ min: 10, max: 60 }), fc.constantFrom(0, 4, 5, 18.5, 22, 23), fc.constantFrom(-1, 0, 1))
  .map(([day, hour, ms]) => FROM + (day * 24 + hour) * 3_600_000 + ms);
const moment = fc.oneof(
  fc.integer({ min: 0, max: SPAN_SECONDS * 4 }).map((quarter) => FROM + quarter * 250),
  midnight,
);
const iso = (ms: number) => new Date(ms).toISOString();
/** Numbers of seconds, many of them near a threshold. */
const waitSeconds = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.constantFrom(0, 1, 24, 25, 26, 39, 40, 41));

const LIVE = ['queued', 'assigned', 'active'];
const ENDED = ['completed', 'missed', 'cancelled', 'abandoned'];

/** Generates valid calls of these departments and agents. */
export function arbitraryCalls(departments: string[], agents: string[]): fc.Arbitrary<CallRow[]> {
  const call = fc
    .record({
      id: fc.uuid({ version: 4 }),
      status: fc.constantFrom('completed', 'completed', 'completed', ...ENDED, ...LIVE),
      department_id: fc.constantFrom(null, ...departments),
      agent: fc.constantFrom(...agents),
      inserted_at: moment.map(iso),
      wait: waitSeconds,
      estimated_wait_time: waitSeconds,
      duration: fc.option(fc.integer({ min: 0, max: 4000 })),
      rating: fc.option(fc.integer({ min: 1, max: 5 })),
    })
    .map(({ agent, wait, ...row }): CallRow => {
      const hasAgent = !['queued', 'cancelled', 'abandoned'].includes(row.status);
      const completed = row.status === 'completed';
      return {
        ...row,
        user_id: hasAgent ? agent : null,
        wait_time: row.status === 'queued' ? null : wait,
        duration: completed ? row.duration : null,
        rating: completed ? row.rating : null,
      };
    });
  return fc.uniqueArray(call, { minLength: 1, maxLength: 80, selector: ({ id }) => id, size: 'max' });
}

/** Generates presence periods. Each agent has at most one open period. */
export function arbitraryPeriods(agents: string[]): fc.Arbitrary<PeriodRow[]> {
  const period = fc
    .record({
      user_id: fc.constantFrom(...agents),
      presence: fc.constantFrom('online', 'away', 'busy'),
      began: moment,
      seconds: fc.integer({ min: 0, max: 200_000 }),
      lasts: fc.boolean(),
    })
    .map(({ began, seconds, lasts, ...row }) => ({
      ...row,
      began_at: iso(began),
      ended_at: lasts ? 'infinity' : iso(began + seconds * 1000),
    }));
  return fc.array(period, { maxLength: 12 }).map((periods) => {
    const open = new Set<string>();
    return periods.filter(({ user_id, ended_at }) => {
      if (ended_at !== 'infinity') return true;
      const isFirst = !open.has(user_id);
      open.add(user_id);
      return isFirst;
    });
  });
}

/** Replaces all calls and presence periods of the tenant. */
export async function replaceCalls(
  db: Client,
  tenantId: string,
  calls: CallRow[],
  periods: PeriodRow[],
): Promise<void> {
  await db.query('DELETE FROM calls WHERE tenant_id = $1', [tenantId]);
  await db.query('DELETE FROM presence_periods WHERE tenant_id = $1', [tenantId]);
  await db.query(
    `INSERT INTO calls (id, tenant_id, status, department_id, department_name, customer_name, user_id,
       estimated_wait_time, wait_time, duration, rating, inserted_at, updated_at, ended_at)
     SELECT id, $1, status, department_id, 'Department', 'Customer', user_id, estimated_wait_time, wait_time,
       duration, rating, inserted_at, inserted_at,
       CASE WHEN status NOT IN ('queued', 'assigned', 'active') THEN inserted_at END
     FROM jsonb_to_recordset($2) AS c (id uuid, status text, department_id uuid, user_id uuid,
       estimated_wait_time int, wait_time int, duration int, rating int, inserted_at timestamptz)`,
    [tenantId, JSON.stringify(calls)],
  );
  await db.query(
    `INSERT INTO presence_periods (tenant_id, user_id, presence, began_at, ended_at)
     SELECT $1, user_id, presence, began_at, ended_at
     FROM jsonb_to_recordset($2) AS p (user_id uuid, presence text, began_at timestamptz, ended_at timestamptz)`,
    [tenantId, JSON.stringify(periods)],
  );
}
