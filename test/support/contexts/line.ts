import type { Json } from '../http/api';
import type { TestApp } from '../test-app';

/** The entries of a call in lines of departments. */
export async function entriesOf({ db }: TestApp, callId: string): Promise<Json[]> {
  const { rows } = await db.query('SELECT * FROM line_entries WHERE call_id = $1 ORDER BY department_id', [
    callId,
  ]);
  return rows;
}

/** The only entry of a call. */
export async function entryOf(test: TestApp, callId: string): Promise<Json> {
  const entries = await entriesOf(test, callId);
  expect(entries).toHaveLength(1);
  return entries[0];
}

/** The parts of a call, the oldest first. */
export async function partsOf({ db }: TestApp, callId: string): Promise<Json[]> {
  const { rows } = await db.query('SELECT * FROM call_parts WHERE call_id = $1 ORDER BY started_at', [
    callId,
  ]);
  return rows;
}

/** Changes columns of a call by SQL, as another version of the service could. */
export async function changeCall(
  { db }: TestApp,
  id: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const columns = Object.keys(changes).map((column, index) => `${column} = $${index + 2}`);
  await db.query(`UPDATE calls SET ${columns.join(', ')} WHERE id = $1`, [id, ...Object.values(changes)]);
}

/** Changes settings of a department by SQL. */
export async function changeDepartment(
  { db }: TestApp,
  id: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const columns = Object.keys(changes).map((column, index) => `${column} = $${index + 2}`);
  await db.query(`UPDATE departments SET ${columns.join(', ')} WHERE id = $1`, [
    id,
    ...Object.values(changes),
  ]);
}

/** Inserts calls that need nothing and wait since now. */
export async function insertWaitingCalls(
  { db }: TestApp,
  tenantId: string,
  departmentId: string,
  count: number,
): Promise<void> {
  await db.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
       inserted_at, updated_at)
     SELECT $1, 'queued', $2, 'Sales', 'Eva', 0, now(), now() FROM generate_series(1, $3::int)`,
    [tenantId, departmentId, count],
  );
}

/** The time some seconds after another one. */
export const secondsAfter = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1000);
