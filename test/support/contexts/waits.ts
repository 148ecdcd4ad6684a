import { randomUUID } from 'node:crypto';
import { LearnedWaitsCache } from '../../../src/calls/queue/learning/learned-waits-cache';
import { WaitLearner } from '../../../src/calls/queue/learning/wait-learner';
import type { JoinEstimate } from '../../../src/calls/queue/learning/join-estimate.rules';
import type { Json } from '../http/api';
import type { TestApp } from '../test-app';

/** A department. */
export interface Line {
  tenant_id: string;
  id: string;
}

/** A wait that ends, and the part of a call that follows if it is answered. Durations are in seconds. */
export interface Wait {
  waited: number;
  end: 'answered' | 'cancelled' | 'absence' | 'timeout' | 'missed';
  estimate: JoinEstimate | null;
  talk: number;
  wrapUp: number | null;
  /** What the customer was told. */
  told?: number;
}

export const BUSY_ESTIMATE: JoinEstimate = {
  queue_length: 100,
  last_wait: 80,
  mean_wait: null,
  idle: false,
  high: 200,
};

export const answeredWait = (changes: Partial<Wait> = {}): Wait => ({
  waited: 60,
  end: 'answered',
  estimate: BUSY_ESTIMATE,
  talk: 120,
  wrapUp: null,
  ...changes,
});

const STATUS = {
  answered: 'active',
  cancelled: 'cancelled',
  absence: 'abandoned',
  timeout: 'abandoned',
  missed: 'missed',
} as const;

/**
 * Adds a call that waits and then ceases to, as the service writes it, so that triggers record what there is to learn.
 * @param endedAt when the wait ends
 * @returns the id of the call
 */
export async function endWait(
  { db }: Pick<TestApp, 'db'>,
  { id, tenant_id }: Line,
  { waited, end, estimate, talk, wrapUp, told = 0 }: Wait,
  endedAt: Date,
): Promise<string> {
  const callId = randomUUID();
  const time = (seconds: number) => `'${new Date(endedAt.getTime() + seconds * 1000).toISOString()}'`;
  const isAnswered = end === 'answered';
  const agent = '(SELECT u.id FROM users u WHERE u.tenant_id = calls.tenant_id LIMIT 1)';
  // One message is one transaction: the sweeps of the service see only the ended call.
  await db.query(`
    INSERT INTO calls (id, tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
      join_estimate, absence_deadline, inserted_at, updated_at)
    VALUES ('${callId}', '${tenant_id}', 'queued', '${id}', 'Department', 'Customer', ${told},
      ${estimate ? `'${JSON.stringify(estimate)}'` : 'NULL'}, ${time(end === 'absence' ? 0 : 1)}, ${time(-waited)},
      ${time(-waited)});
    UPDATE calls SET status = '${STATUS[end]}', wait_time = ${waited}, absence_deadline = NULL, updated_at = ${time(0)},
      ${isAnswered ? `started_at = ${time(0)}, user_id = ${agent}` : `ended_at = ${time(0)}`}
    WHERE id = '${callId}';
    UPDATE calls SET status = 'completed', ended_at = ${time(talk)}, completed_at = ${time(talk)}, duration = ${talk},
      updated_at = ${time(talk)} WHERE id = '${callId}' AND ${isAnswered};
    UPDATE call_parts SET wrap_up_time = ${wrapUp} WHERE call_id = '${callId}';`);
  return callId;
}

/** What the department has learned (wait_learning). */
export async function learningOf({ db }: Pick<TestApp, 'db'>, departmentId: string): Promise<Json> {
  const { rows } = await db.query('SELECT * FROM wait_learning WHERE department_id = $1', [departmentId]);
  return rows[0];
}

/** How many waits and parts the department has not learned from. */
export async function unlearnedCount({ db }: Pick<TestApp, 'db'>, departmentId: string): Promise<number> {
  const { rows } = await db.query('SELECT FROM ended_waits WHERE department_id = $1', [departmentId]);
  return rows.length;
}

/** The department learns all that there is. */
export async function learnAll(test: TestApp, line: Line): Promise<void> {
  const learner = test.get(WaitLearner);
  for (let left = Infinity, before = -1; left > 0 && left !== before;) {
    before = left;
    await learner.learn(line);
    left = await unlearnedCount(test, line.id);
  }
  await test.get(LearnedWaitsCache).reload([line.id]);
}
