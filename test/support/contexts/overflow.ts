import { OverflowSweeper } from '../../../src/calls/overflow/overflow-sweeper';
import { expectStatus, type TestTenant } from '../builders';
import type { Json } from '../http/api';
import type { TestApp } from '../test-app';
import { until } from '../until';

/** A department with an access link, and the one to which its calls overflow. */
export interface OverflowingQueue {
  department: Json;
  link: { token: string };
  target: Json;
  targetLink: { token: string };
}

/** Creates both departments. By default, calls overflow as soon as they join. */
export async function overflowingQueue(
  tenant: TestTenant,
  input: Record<string, unknown> = {},
  targetInput: Record<string, unknown> = {},
): Promise<OverflowingQueue> {
  const { department: target, link: targetLink } = await tenant.queue(targetInput);
  const { department, link } = await tenant.queue({
    overflow_after: 0,
    overflow_department_id: target.id,
    ...input,
  });
  return { department, link: link as { token: string }, target, targetLink: targetLink as { token: string } };
}

/** Changes settings of a department. @throws Error unless it succeeds */
export async function setDepartment({ owner }: TestTenant, { id }: Json, department: Json): Promise<void> {
  expectStatus(await owner.api.put(`/api/v1/departments/${id}`, { department }), 200);
}

/** The row of a call. */
export async function callRow({ db }: TestApp, callId: string): Promise<Json> {
  const { rows } = await db.query('SELECT * FROM calls WHERE id = $1', [callId]);
  return rows[0];
}

/** Waits until the call has overflowed. @returns its row */
export function untilOverflowed(test: TestApp, callId: string): Promise<Json> {
  return until(
    async () => {
      const call = await callRow(test, callId);
      return call.overflowed_at && call;
    },
    () => `the call ${callId} has not overflowed`,
  );
}

/** Lets the calls overflow that are due. Calls that the application's own sweep has locked are skipped. */
export const sweepOverflow = (test: TestApp): Promise<void> => test.get(OverflowSweeper).sweep();
