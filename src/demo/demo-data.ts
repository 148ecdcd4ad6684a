import type { Transaction } from '../platform/database/transaction';

const CUSTOMERS = [
  'Joana Prado',
  'Rafael Nunes',
  'Marina Costa',
  'Pedro Alves',
  'Luiza Melo',
  'Tiago Reis',
  'Beatriz Luz',
];
const TAGS = [
  { name: 'Cobrança', color: '#dc2626' },
  { name: 'Cliente novo', color: '#16a34a' },
  { name: 'Retorno', color: '#2563eb' },
];

/** Inserts customers and tags. */
export async function insertCustomersAndTags(tx: Transaction, tenantId: string, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO customers (tenant_id, name, email, phone, inserted_at, updated_at)
     SELECT $1, name, replace(lower(name), ' ', '.') || '@example.com', '+55 11 9' || 1000 + ordinal * 137 || '-' || 2000 + ordinal * 311,
       $3::timestamptz - interval '40 days', $3::timestamptz - interval '40 days'
     FROM unnest($2::text[]) WITH ORDINALITY AS c (name, ordinal)`,
    [tenantId, CUSTOMERS, now],
  );
  await tx.query(
    `INSERT INTO tags (tenant_id, name, color) SELECT $1, name, color
     FROM jsonb_to_recordset($2) AS t (name text, color text)`,
    [tenantId, JSON.stringify(TAGS)],
  );
}

/** Inserts tags of calls, presence of agents and appointments of the next days, based on the calls in the database. */
export async function insertActivity(
  tx: Transaction,
  tenantId: string,
  agentId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO call_tags (tenant_id, call_id, tag_id)
     SELECT c.tenant_id, c.id, t.id FROM (
       SELECT tenant_id, id, row_number() OVER (ORDER BY inserted_at) AS ordinal FROM calls WHERE tenant_id = $1) c
     JOIN (SELECT id, row_number() OVER (ORDER BY name) AS ordinal FROM tags WHERE tenant_id = $1) t
       ON c.ordinal % 5 = t.ordinal`,
    [tenantId],
  );
  await tx.query(
    `INSERT INTO presence_periods (tenant_id, user_id, presence, state, reason, began_at, ended_at)
     SELECT $1, user_id, 'busy', 'on_call', NULL, started_at, ended_at
     FROM calls WHERE tenant_id = $1 AND started_at IS NOT NULL
     UNION ALL
     SELECT $1, user_id, presence, state, reason, first_at - before, first_at - before + lasting
     FROM (SELECT user_id, min(inserted_at) AS first_at FROM calls
           WHERE tenant_id = $1 AND started_at IS NOT NULL GROUP BY user_id, inserted_at::date) days,
       (VALUES ('online', 'available', NULL, interval '20 minutes', interval '19 minutes'),
          ('away', 'paused', 'Café', interval '30 minutes', interval '10 minutes'))
         AS chosen (presence, state, reason, before, lasting)`,
    [tenantId],
  );
  await tx.query(
    `INSERT INTO appointments (tenant_id, user_id, customer_id, department_id, title, starts_at, ends_at, status,
       inserted_at, updated_at)
     SELECT $1, $2, c.id, (SELECT id FROM departments WHERE tenant_id = $1 ORDER BY name LIMIT 1), 'Conversa sobre o contrato',
       date_trunc('hour', $3::timestamptz) + make_interval(days => c.ordinal::int, hours => 1),
       date_trunc('hour', $3::timestamptz) + make_interval(days => c.ordinal::int, hours => 1, mins => 30), 'scheduled', $3, $3
     FROM (SELECT id, row_number() OVER (ORDER BY name) AS ordinal FROM customers WHERE tenant_id = $1 LIMIT 4) c`,
    [tenantId, agentId, now],
  );
}
