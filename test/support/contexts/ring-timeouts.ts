import type { TestApp } from '../test-app';
import { sweep } from './sweep';

/** Sets the number of unanswered assignments that makes a call of the department missed. */
export async function setMaxUnanswered({ db }: TestApp, departmentId: string, max: number): Promise<void> {
  await db.query('UPDATE departments SET max_unanswered = $2 WHERE id = $1', [departmentId, max]);
}

/** Lets the ring timeout of an assigned call pass without moving the clock, on which tokens and other calls depend. */
export async function endRingTimeout({ db, clock }: TestApp, callId: string): Promise<void> {
  await db.query(`UPDATE calls SET ring_deadline = $2 WHERE id = $1 AND status = 'assigned'`, [
    callId,
    clock.now(),
  ]);
}

/** As endRingTimeout, and waits until it has taken effect. */
export async function missRingTimeout(test: TestApp, callId: string): Promise<void> {
  await endRingTimeout(test, callId);
  await sweep(test);
}
