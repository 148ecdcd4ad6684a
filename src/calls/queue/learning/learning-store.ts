import type { Transaction } from '../../../platform/database/transaction';
import type { DecayingMean } from '../estimates/decaying-mean.rules';
import { NO_OBSERVATIONS } from '../estimates/decaying-mean.rules';
import { COMPARED_CALLS, type EstimatorName } from '../estimates/estimator-choice.machine';
import { NO_RATIOS, type WaitRatios } from '../estimates/wait-range.rules';
import { estimatesOf, type JoinEstimate } from './join-estimate.rules';
import {
  ADD_WAITS_SQL,
  BEGIN_SQL,
  LOCK_SQL,
  RECENT_SQL,
  REMOVE_WAITS_SQL,
  STORE_SQL,
  WAITS_SQL,
} from './learning-sql';
import { type LearnedWait, MAX_LEARNED_WAITS, type WaitLearning } from './wait-learning.rules';

/** A row of wait_learning. */
export interface LearningRow {
  handle_times: DecayingMean;
  handle_times_by_hour: Record<string, DecayingMean>;
  waits: DecayingMean;
  latencies: DecayingMean;
  history: number[];
  in_use: EstimatorName;
  ratios: WaitRatios;
  /** How many waits were learned in all, and how many when the ratios were computed. */
  wait_count: number;
  ratios_count: number;
}

export type LockedLearning = LearningRow & {
  /** The IANA name of the time zone of the hours of the week. */
  timezone: string;
};

type WaitTuple = [number, number | null, number | null, number, boolean, boolean];

/** @param recent the answered calls by which estimators are compared */
export const learningFrom = (
  row: Omit<LearningRow, 'wait_count' | 'ratios_count'>,
  recent: WaitLearning['choice']['recent'] = [],
): WaitLearning => ({
  handleTimes: row.handle_times,
  handleTimesByHour: row.handle_times_by_hour,
  waits: row.waits,
  latencies: row.latencies,
  history: row.history,
  choice: { inUse: row.in_use, recent },
});

/** Locks what the department has learned. @returns undefined if another instance has the lock, or there is nothing yet */
export const lockLearning = (tx: Transaction, departmentId: string) =>
  tx.one<LockedLearning>(LOCK_SQL, [departmentId]);

/** @returns undefined if the department has begun to learn, or is deleted */
export const beginLearning = (tx: Transaction, departmentId: string, now: Date) =>
  tx.one<LockedLearning>(BEGIN_SQL, [
    departmentId,
    JSON.stringify(NO_OBSERVATIONS),
    JSON.stringify(NO_RATIOS),
    now,
  ]);

/** @returns the answered calls by which estimators are compared, the latest at the end */
export async function recentAnswers(tx: Transaction, departmentId: string) {
  const rows = await tx.query<JoinEstimate & { waited: number }>(RECENT_SQL, [departmentId, COMPARED_CALLS]);
  return rows.toReversed().map((row) => ({ estimates: estimatesOf(row), waited: row.waited }));
}

/** Adds waits without waiting. */
export function addWaits(
  tx: Transaction,
  tenantId: string,
  departmentId: string,
  waits: readonly LearnedWait[],
): void {
  if (waits.length === 0) return;
  const tuples = waits.map(({ estimate, waited, answered }): WaitTuple => {
    const { queue_length, last_wait, mean_wait, idle } = estimate;
    return [queue_length, last_wait, mean_wait, waited, idle, answered];
  });
  tx.send({ text: ADD_WAITS_SQL, values: [tenantId, departmentId, JSON.stringify(tuples)] });
}

/** @returns the waits that are kept, the latest at the end; others are removed */
export async function keptWaits(tx: Transaction, departmentId: string): Promise<LearnedWait[]> {
  const row = await tx.one<{ waits: WaitTuple[] }>(WAITS_SQL, [departmentId, MAX_LEARNED_WAITS]);
  tx.send({ text: REMOVE_WAITS_SQL, values: [departmentId, MAX_LEARNED_WAITS] });
  return (row?.waits ?? []).map(([queue_length, last_wait, mean_wait, waited, idle, answered]) => ({
    estimate: { queue_length, last_wait, mean_wait, idle },
    waited,
    answered,
  }));
}

/** Stores what a department has learned, without waiting. */
export function storeLearning(
  tx: Transaction,
  departmentId: string,
  learning: WaitLearning,
  { ratios, wait_count, ratios_count }: Pick<LearningRow, 'ratios' | 'wait_count' | 'ratios_count'>,
  now: Date,
): void {
  const { handleTimes, handleTimesByHour, waits, latencies, history, choice } = learning;
  const json = [handleTimes, handleTimesByHour, waits, latencies].map((value) => JSON.stringify(value));
  tx.send({
    text: STORE_SQL,
    values: [
      departmentId,
      ...json,
      history,
      choice.inUse,
      JSON.stringify(ratios),
      wait_count,
      ratios_count,
      now,
    ],
  });
}
