import fc from 'fast-check';
import type { TestConnection } from '../database/database';

/** The fields of a call that reports read. */
export interface CallRow {
  id: string;
  status: string;
  department_id: string | null;
  user_id: string | null;
  inserted_at: string;
  started_at: string | null;
  wait_time: number | null;
  /** Null for a call that a release cancelled before this was recorded, too. */
  left_after: number | null;
  end_reason: string | null;
  estimated_wait_time: number;
  /** Whether the customer was told it. */
  was_told: boolean;
  duration: number | null;
  rating: number | null;
  callback_status: string | null;
  overflowed_at: string | null;
  /** None for a call from before parts were recorded. */
  parts: PartRow[];
}

/** An ended part of an agent in a call. */
export interface PartRow {
  user_id: string;
  department_id: string | null;
  started_at: string;
  ended_at: string;
  ended_by: string;
  wrap_up_time: number | null;
}

/** An offer of one of the calls that has ended. */
export interface OfferRow {
  /** The index of the call. */
  call: number;
  user_id: string;
  department_id: string | null;
  status: string;
  offered_at: string;
  ended_at: string;
}

/** A presence period of an agent. */
export interface PeriodRow {
  user_id: string;
  presence: string;
  /** Null if an instance of a release without states recorded it. */
  state: string | null;
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

/** A moment, and one up to some seconds later, in quarters of a second, which are exact in floating point. */
const span = (seconds: number) =>
  fc
    .tuple(moment, fc.integer({ min: 0, max: seconds * 4 }))
    .map(([from, quarters]) => ({ from: iso(from), until: iso(from + quarters * 250) }));

/** Generates valid calls of these departments and agents. */
export function arbitraryCalls(departments: string[], agents: string[]): fc.Arbitrary<CallRow[]> {
  const part = fc
    .record({
      user_id: fc.constantFrom(...agents),
      department_id: fc.constantFrom(null, ...departments),
      time: span(3000),
      ended_by: fc.constantFrom('completed', 'transferred', 'disconnect'),
      wrap_up_time: fc.option(fc.integer({ min: 0, max: 600 })),
    })
    .map(({ time, ...row }): PartRow => ({ ...row, started_at: time.from, ended_at: time.until }));
  const call = fc
    .record({
      id: fc.uuid({ version: 4 }),
      status: fc.constantFrom('completed', 'completed', 'completed', ...ENDED, ...LIVE),
      department_id: fc.constantFrom(null, ...departments),
      agent: fc.constantFrom(...agents),
      inserted_at: moment.map(iso),
      wait: waitSeconds,
      left_after: fc.option(waitSeconds),
      end_reason: fc.constantFrom('normal', 'disconnect'),
      estimated_wait_time: waitSeconds,
      was_told: fc.boolean(),
      duration: fc.option(fc.integer({ min: 0, max: 4000 })),
      rating: fc.option(fc.integer({ min: 1, max: 5 })),
      started_at: fc.option(moment.map(iso)),
      callback_status: fc.option(fc.constantFrom('requested', 'returned', 'expired', 'cancelled')),
      overflowed_at: fc.option(moment.map(iso)),
      parts: fc.array(part, { maxLength: 3 }),
    })
    .map(({ agent, wait, ...row }): CallRow => {
      const hasAgent = !['queued', 'cancelled', 'abandoned'].includes(row.status);
      const completed = row.status === 'completed';
      // Of the calls in other states, those that were started have been transferred since.
      const started_at = row.status === 'active' ? row.inserted_at : row.started_at;
      return {
        ...row,
        user_id: hasAgent ? agent : null,
        started_at,
        wait_time: row.status === 'queued' && started_at === null ? null : wait,
        left_after: row.status === 'cancelled' ? row.left_after : null,
        end_reason: completed ? row.end_reason : null,
        duration: completed && started_at !== null ? row.duration : null,
        rating: completed ? row.rating : null,
        // A call whose customer is away is not among those that wait.
        callback_status: row.status === 'queued' ? null : row.callback_status,
        parts: started_at === null ? [] : row.parts,
      };
    });
  return fc.uniqueArray(call, { minLength: 1, maxLength: 80, selector: ({ id }) => id, size: 'max' });
}

/** Generates offers of calls that have ended. */
export function arbitraryOffers(
  calls: CallRow[],
  departments: string[],
  agents: string[],
): fc.Arbitrary<OfferRow[]> {
  const offer = fc
    .record({
      call: fc.integer({ min: 0, max: calls.length - 1 }),
      user_id: fc.constantFrom(...agents),
      department_id: fc.constantFrom(null, ...departments),
      status: fc.constantFrom('accepted', 'accepted', 'declined', 'expired', 'withdrawn'),
      time: span(60),
    })
    .map(({ time, ...row }): OfferRow => ({ ...row, offered_at: time.from, ended_at: time.until }));
  return fc.array(offer, { maxLength: 40, size: 'max' });
}

const STATES = ['on_call', 'offered', 'wrap_up', 'paused', 'available'];

/** Generates presence periods. Each agent has at most one open period. */
export function arbitraryPeriods(agents: string[]): fc.Arbitrary<PeriodRow[]> {
  const period = fc
    .record({
      user_id: fc.constantFrom(...agents),
      presence: fc.constantFrom('online', 'away', 'busy'),
      state: fc.constantFrom(null, ...STATES),
      began: moment,
      seconds: fc.integer({ min: 0, max: 200_000 }),
      lasts: fc.boolean(),
    })
    .map(({ began, seconds, lasts, ...row }) => ({
      ...row,
      // An agent who wraps up is shown as busy.
      presence: row.state === 'wrap_up' ? 'busy' : row.presence,
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

/** Replaces all calls, offers and presence periods of the tenant. */
export async function replaceCalls(
  db: TestConnection,
  tenantId: string,
  calls: CallRow[],
  offers: OfferRow[],
  periods: PeriodRow[],
): Promise<void> {
  await db.query('DELETE FROM calls WHERE tenant_id = $1', [tenantId]);
  await db.query('DELETE FROM presence_periods WHERE tenant_id = $1', [tenantId]);
  await db.query(
    `INSERT INTO calls (id, tenant_id, status, department_id, department_name, customer_name, user_id,
       estimated_wait_time, join_estimate, wait_time, left_after, end_reason, duration, rating, callback_status, overflowed_at,
       inserted_at, started_at, updated_at, ended_at)
     SELECT id, $1, status, department_id, 'Department', 'Customer', user_id, estimated_wait_time,
       CASE WHEN was_told THEN '{}'::jsonb END, wait_time, left_after, end_reason, duration, rating, callback_status, overflowed_at, inserted_at, started_at, inserted_at,
       CASE WHEN status NOT IN ('queued', 'assigned', 'active') THEN inserted_at END
     FROM jsonb_to_recordset($2) AS c (id uuid, status text, department_id uuid, user_id uuid,
       estimated_wait_time int, was_told boolean, wait_time int, left_after int, end_reason text, duration int, rating int, callback_status text,
       overflowed_at timestamptz, inserted_at timestamptz, started_at timestamptz)`,
    [tenantId, JSON.stringify(calls)],
  );
  const parts = calls.flatMap((call) =>
    call.parts.map((row) => ({ call_id: call.id, joined_at: call.inserted_at, ...row })),
  );
  await db.query(
    `INSERT INTO call_parts (tenant_id, call_id, user_id, department_id, joined_at, started_at, ended_at, ended_by,
       wrap_up_time)
     SELECT $1, p.* FROM jsonb_to_recordset($2) AS p (call_id uuid, user_id uuid, department_id uuid,
       joined_at timestamptz, started_at timestamptz, ended_at timestamptz, ended_by text, wrap_up_time int)`,
    [tenantId, JSON.stringify(parts)],
  );
  await db.query(
    `INSERT INTO offers (tenant_id, kind, expires_at, call_id, user_id, department_id, status, offered_at, ended_at)
     SELECT $1, 'line', o.ended_at, o.* FROM jsonb_to_recordset($2) AS o (call_id uuid, user_id uuid,
       department_id uuid, status text, offered_at timestamptz, ended_at timestamptz)`,
    [tenantId, JSON.stringify(offers.map(({ call, ...row }) => ({ call_id: calls[call]?.id, ...row })))],
  );
  await db.query(
    `INSERT INTO presence_periods (tenant_id, user_id, presence, state, began_at, ended_at)
     SELECT $1, user_id, presence, state, began_at, ended_at
     FROM jsonb_to_recordset($2) AS p (user_id uuid, presence text, state text, began_at timestamptz,
       ended_at timestamptz)`,
    [tenantId, JSON.stringify(periods)],
  );
}
