import type { Answer, Json } from '../http/api';
import type { TestApp } from '../test-app';

/** Rows of the audit log, by their actions, whatever the tenant. */
export async function auditRows({ db }: TestApp, condition: string, value: unknown): Promise<Json[]> {
  return (await db.query(`SELECT * FROM audit_log WHERE ${condition} ORDER BY action`, [value])).rows;
}

/** What an answered request left. */
export const auditedBy = (test: TestApp, { headers }: Answer): Promise<Json[]> =>
  auditRows(test, 'request_id = $1', headers.get('x-request-id'));

/** What was ever done to a record. */
export const auditedAbout = (test: TestApp, id: string): Promise<Json[]> =>
  auditRows(test, 'subject_id = $1', id);

export const actionsOf = (rows: Json[]): string[] => rows.map(({ action }) => action);
