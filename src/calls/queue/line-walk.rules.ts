import { customerEstimate, type LineAgents, type LineRate } from './customer-estimate.rules';
import type { LearnedWaits } from './estimates/wait-estimate.rules';
import type { LinePosition } from './queue-position.rules';

/** A line, and the other lines of its agents. */
export interface LineRow extends LineRate {
  /** The ids of the departments of the other lines. */
  others: string[];
  /**
   * In queue order, separated by commas; null without any. A call of the line has its id, its version, its wait_deadline in
   * ms, or, as a negative number, for how many ms it may wait once its customer returns, and, if the estimator needs it, the time of its join in ms. A call of other lines has their ordinal numbers
   * in `others`, such as 1 or 1+2.
   */
  calls: string | null;
  /** The ids of the line's calls that also stand in the line of another department. */
  overflowed: string | null;
  /** The ids of the line's calls that are being offered; null without any. */
  offered: string | null;
}

/** The calls that require the same skills, separated by commas, and the agents who have these. */
export type SkilledCallsRow = LineRate & { ids: string };

/** Counts the calls of other lines that the agents of a group serve. */
interface OtherLines {
  ordinals: Set<string>;
  count: number;
}

const UUID_LENGTH = 36;

/** @returns the positions and estimates of all waiting calls of the line, in queue order */
export function walkLine(
  line: LineRow,
  skilled: readonly SkilledCallsRow[],
  learned: LearnedWaits,
  now: Date,
): LinePosition[] {
  const counters = new Map<string, OtherLines>();
  const own = withCounters(line, line.others, counters);
  const rates = new Map<string, CountedRate>();
  for (const row of skilled) {
    const rate = withCounters(row, line.others, counters);
    for (const id of row.ids.split(',')) rates.set(id, rate);
  }
  const offered = new Set(line.offered?.split(','));
  const overflowed = new Set(line.overflowed?.split(','));
  const positions: LinePosition[] = [];
  const nowMs = now.getTime();
  let offeredAhead = 0;
  for (const text of line.calls?.split(',') ?? []) {
    if (text.length < UUID_LENGTH) {
      countOther(counters, text);
      continue;
    }
    const call_id = text.slice(0, UUID_LENGTH);
    const [version, deadline, joinedAt = nowMs] = text.slice(UUID_LENGTH + 1).split(' ');
    const ahead = positions.length;
    const call = {
      position: ahead + 1,
      offered: offeredAhead,
      waited: Math.max(0, nowMs - Number(joinedAt)) / 1000,
      limit: limitBy(Number(deadline), nowMs),
    };
    const ringing = offered.has(call_id);
    const estimate = customerEstimate(call, rateAt(rates.get(call_id) ?? own, ahead), learned);
    positions.push({
      call_id,
      version: Number(version),
      position: call.position,
      ...estimate,
      queue_size: 0,
      ringing,
      ...(overflowed.has(call_id) && { is_overflowed: true }),
    });
    if (ringing) offeredAhead += 1;
  }
  for (const position of positions) position.queue_size = positions.length;
  return positions;
}

/** @returns seconds */
const limitBy = (deadline: number, nowMs: number): number =>
  (deadline < 0 ? -deadline : Math.max(0, deadline - nowMs)) / 1000;

/** A rate of which some groups are completed for each call. */
interface CountedRate {
  rate: LineRate;
  shared: { group: LineAgents; counter: OtherLines }[];
}

function withCounters(
  row: LineRate,
  others: readonly string[],
  counters: Map<string, OtherLines>,
): CountedRate {
  const rate = { ...row, groups: row.groups.map((group) => ({ ...group })) };
  const shared = rate.groups
    .filter((group) => group.others.length > 0)
    .map((group) => {
      const key = group.others.join();
      const ordinals = new Set(group.others.map((id) => String(others.indexOf(id) + 1)));
      const counter = counters.get(key) ?? { ordinals, count: 0 };
      counters.set(key, counter);
      return { group, counter };
    });
  return { rate, shared };
}

/** A call that stands in two lines of a group counts once. */
function countOther(counters: Map<string, OtherLines>, ordinals: string): void {
  const lines = ordinals.split('+');
  for (const counter of counters.values())
    if (lines.some((line) => counter.ordinals.has(line))) counter.count += 1;
}

function rateAt({ rate, shared }: CountedRate, ahead: number): LineRate {
  for (const { group, counter } of shared) group.ahead = ahead + counter.count;
  return rate;
}
