import type { Department } from '../departments/department.entity';
import type { Transaction } from '../platform/database/transaction';

/** The settings of a department that calls customers back. */
export const CALLING_BACK = { callback_enabled: true } satisfies Partial<Department>;

/**
 * A customer who waits in the department's queue and asked the company to call them back. They are not invited before
 * tomorrow, and then without a mail, so that the demo shows the callback.
 */
export async function insertRequestedCallback(
  tx: Transaction,
  { id, name, tenant_id }: Pick<Department, 'id' | 'name' | 'tenant_id'>,
  now: Date,
): Promise<void> {
  await tx.query(
    `WITH call AS (
       INSERT INTO calls (tenant_id, status, department_id, department_name, access_link_id, customer_id, customer_name,
         customer_email, customer_phone, reason, estimated_wait_time, suspended_wait_deadline, absent_since,
         callback_status, version, inserted_at, updated_at)
       SELECT $1, 'queued', $2, $3, l.id, c.id, c.name, c.email, c.phone, 'Vistoria do apartamento', 180,
         $4::timestamptz + interval '4 minutes', $4, 'requested', 2, $4::timestamptz - interval '1 minute', $4
       FROM (SELECT * FROM customers WHERE tenant_id = $1 ORDER BY name LIMIT 1) c,
         (SELECT id FROM access_links WHERE department_id = $2 LIMIT 1) l
       RETURNING id)
     INSERT INTO callbacks (tenant_id, call_id, channel, requested_at, next_attempt_at)
     SELECT $1, id, 'webhook', $4, $4::timestamptz + interval '1 day' FROM call`,
    [tenant_id, id, name, now],
  );
}

/** Past calls of the company whose customers were called back; few of them did not return. */
export async function insertPastCallbacks(tx: Transaction, tenantId: string): Promise<void> {
  await tx.query(
    `WITH past AS (
       UPDATE calls c SET callback_status = CASE c.status WHEN 'completed' THEN 'returned' ELSE 'expired' END
       FROM (SELECT past.id, row_number() OVER (PARTITION BY past.status ORDER BY past.inserted_at, past.id) AS ordinal
             FROM calls past JOIN departments d ON d.id = past.department_id AND d.callback_enabled
             WHERE past.tenant_id = $1 AND past.status IN ('completed', 'abandoned')) p
       WHERE c.id = p.id AND p.ordinal % 9 = 0
       RETURNING c.id, c.status, c.inserted_at)
     INSERT INTO callbacks (tenant_id, call_id, channel, attempts, requested_at, invited_at)
     SELECT $1, id, 'webhook', CASE status WHEN 'completed' THEN 1 ELSE 2 END, inserted_at,
       inserted_at + interval '5 seconds' FROM past`,
    [tenantId],
  );
}
