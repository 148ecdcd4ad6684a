import type { Answer, Json } from '../http/api';
import type { TestApp } from '../test-app';

/** Rows of the audit log of any tenant that match a condition, sorted by action. */
export async function auditRows({ db }: TestApp, condition: string, value: unknown): Promise<Json[]> {
  return (await db.query(`SELECT * FROM audit_log WHERE ${condition} ORDER BY action`, [value])).rows;
}

/** The audit rows of a request. */
export const auditedBy = (test: TestApp, { headers }: Answer): Promise<Json[]> =>
  auditRows(test, 'request_id = $1', headers.get('x-request-id'));

/** The audit rows of a record. */
export const auditedAbout = (test: TestApp, id: string): Promise<Json[]> =>
  auditRows(test, 'subject_id = $1', id);

/** The actions of audit rows. */
export const actionsOf = (rows: Json[]): string[] => rows.map(({ action }) => action);
