import type { Department } from '../departments/department.entity';
import type { Transaction } from '../platform/database/transaction';

/** Enough for the department to know ranges of waits, of calls that found an agent idle and of others. */
const CALL_COUNT = 180;

/**
 * Inserts ended calls of a department over the last 30 days, most of them completed. They are written in their final
 * state, since the call machine would give them the current time.
 */
export async function insertPastCalls(
  tx: Transaction,
  department: Pick<Department, 'id' | 'name' | 'tenant_id'>,
  agents: { id: string; name: string }[],
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_id, customer_name, customer_email,
       customer_phone, reason, user_id, user_name, estimated_wait_time,
       estimated_wait_low, estimated_wait_high, join_estimate, wait_time, duration, rating, rated_at, notes, end_reason, inserted_at,
       assigned_at, started_at, completed_at, ended_at, updated_at)
     SELECT $1, status, $2, $3, customer.id, customer.name, customer.email, customer.phone,
       (ARRAY['Segunda via da fatura', 'Acesso bloqueado', 'Dúvida sobre o contrato', NULL])[1 + n % 4],
       CASE WHEN answered OR status = 'missed' THEN agent.id END,
       CASE WHEN answered OR status = 'missed' THEN agent.name END,
       estimated, 30 * (estimated / 30), 30 * (1 + estimated / 15), jsonb_build_object('queue_length', estimated,
         'last_wait', NULL, 'mean_wait', NULL, 'idle', idle, 'high', 2 * estimated), wait, CASE WHEN answered THEN talk END,
       CASE WHEN answered AND n % 3 > 0 THEN 3 + n % 3 END,
       CASE WHEN answered AND n % 3 > 0 THEN ended END,
       CASE WHEN answered AND n % 4 = 0 THEN 'Solved on the first call.' END,
       CASE status WHEN 'completed' THEN 'normal' WHEN 'missed' THEN 'timeout' ELSE 'abandoned' END,
       joined, CASE WHEN answered OR status = 'missed' THEN joined + make_interval(secs => wait) END,
       CASE WHEN answered THEN joined + make_interval(secs => wait) END,
       CASE WHEN answered THEN ended END, ended, ended
     FROM (
       SELECT n, status, status = 'completed' AS answered, wait, talk, joined, idle,
         CASE WHEN idle THEN 12 ELSE 20 + n % 5 * 10 END AS estimated,
         joined + make_interval(secs => CASE WHEN status = 'completed' THEN wait + talk ELSE wait END) AS ended
       FROM (
         SELECT n, CASE n % 12 WHEN 5 THEN 'missed' WHEN 8 THEN 'abandoned' WHEN 11 THEN 'cancelled'
             ELSE 'completed' END AS status,
           4 + n * 37 % 26 + CASE WHEN n % 9 = 0 THEN 90 ELSE 0 END AS wait, 90 + n * 53 % 400 AS talk,
           n % 2 = 0 AS idle,
           $4::timestamptz - make_interval(days => n / 6, hours => n * 5 % 9, mins => 20 + n * 7 % 60) AS joined
         FROM generate_series(1, $5::int) AS n
       ) samples
     ) past
     JOIN (SELECT row_number() OVER () AS ordinal, id, name FROM jsonb_to_recordset($6::jsonb) AS a (id uuid, name text)) agent
       ON agent.ordinal = 1 + past.n % $7::int
     JOIN (SELECT row_number() OVER (ORDER BY name) AS ordinal, id, name, email, phone FROM customers
           WHERE tenant_id = $1) customer
       ON customer.ordinal = 1 + past.n % (SELECT count(*) FROM customers WHERE tenant_id = $1)`,
    [
      department.tenant_id,
      department.id,
      department.name,
      now,
      CALL_COUNT,
      JSON.stringify(agents.map(({ id, name }) => ({ id, name }))),
      agents.length,
    ],
  );
}
