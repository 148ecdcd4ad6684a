import type { Json } from '../http/api';
import type { TestApp } from '../test-app';

/** The row of a call. */
export async function callRow({ db }: TestApp, id: string): Promise<Json> {
  const { rows } = await db.query('SELECT * FROM calls WHERE id = $1', [id]);
  return rows[0];
}

/** The types of the recorded domain events of a call, in order. */
export async function eventsOf({ db }: TestApp, callId: string): Promise<string[]> {
  const { rows } = await db.query('SELECT type FROM domain_events WHERE subject_id = $1 ORDER BY id', [
    callId,
  ]);
  return rows.map((row: { type: string }) => row.type);
}

/** The positions of the customers in a department's queue, as their polling requests return them. */
export async function polledPositions({ api, db }: TestApp, departmentId: string): Promise<number[]> {
  const { rows } = await db.query(
    `SELECT id FROM calls WHERE department_id = $1 AND status = 'queued' ORDER BY queue_number`,
    [departmentId],
  );
  const polls = rows.map((row: { id: string }) => api.get(`/api/v1/call/status/${row.id}`));
  return (await Promise.all(polls)).map((answer) => answer.body.data.position);
}

/** The integers from 1 to `n`. */
export const oneTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);
