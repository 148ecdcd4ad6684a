import type { Transaction } from '../platform/database/transaction';

const SKILLS = [
  { name: 'Inglês', description: 'Conversations in English' },
  { name: 'Contratos', description: 'Prices, terms and renewals' },
];
const PAUSE_REASONS = ['Almoço', 'Café', 'Treinamento'];

/** The settings of a department that offers its calls. */
export const AUTOMATIC = { routing: 'automatic', wrap_up_time: 30, agent_selection: 'most_skilled' } as const;

/**
 * Inserts skills, of which the agents have different levels, and reasons to pause.
 * @returns the ids of the skills
 */
export async function insertSkills(
  tx: Transaction,
  tenantId: string,
  agents: readonly { id: string }[],
): Promise<string[]> {
  await tx.query('UPDATE tenants SET pause_reasons = $2 WHERE id = $1', [tenantId, PAUSE_REASONS]);
  const skills = await tx.query<{ id: string }>(
    `INSERT INTO skills (tenant_id, name, description)
     SELECT $1, name, description FROM jsonb_to_recordset($2) AS s (name text, description text) RETURNING id`,
    [tenantId, JSON.stringify(SKILLS)],
  );
  await tx.query(
    `INSERT INTO user_skills (tenant_id, user_id, skill_id, level)
     SELECT $1, a.id, s.id, 1 + (a.ordinal * 3 + s.ordinal) % 5
     FROM unnest($2::uuid[]) WITH ORDINALITY AS a (id, ordinal), unnest($3::uuid[]) WITH ORDINALITY AS s (id, ordinal)`,
    [tenantId, agents.map(({ id }) => id), skills.map(({ id }) => id)],
  );
  return skills.map(({ id }) => id);
}

/** The part of its agent in each past call of the company. */
export async function insertPastParts(tx: Transaction, tenantId: string): Promise<void> {
  await tx.query(
    `INSERT INTO call_parts (tenant_id, call_id, department_id, user_id, user_name, joined_at, started_at, ended_at,
       ended_by, wrap_up_time)
     SELECT c.tenant_id, c.id, c.department_id, c.user_id, c.user_name, c.inserted_at, c.started_at, c.ended_at, 'completed',
       CASE WHEN d.wrap_up_time > 0 THEN d.wrap_up_time / 2 END
     FROM calls c JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = c.department_id
     WHERE c.tenant_id = $1 AND c.started_at IS NOT NULL`,
    [tenantId],
  );
}

/**
 * The offers that led to the past calls of automatic departments. Each answered call was accepted after some seconds; a
 * colleague had declined some of them, and missed those that waited longer than an offer lasts.
 */
export async function insertPastOffers(
  tx: Transaction,
  tenantId: string,
  agents: readonly { id: string }[],
): Promise<void> {
  await tx.query(
    `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, status, reason, offered_at, expires_at,
       ended_at, available_since)
     SELECT c.tenant_id, c.id, c.department_id, o.user_id, 'line', o.status, o.reason, o.offered_at,
       o.offered_at + make_interval(secs => c.offer_timeout), o.ended_at, o.offered_at - interval '2 minutes'
     FROM (SELECT c.*, d.offer_timeout, row_number() OVER (ORDER BY c.inserted_at, c.id)::int AS n
           FROM calls c JOIN departments d ON d.tenant_id = c.tenant_id AND d.id = c.department_id
           WHERE c.tenant_id = $1 AND d.routing = 'automatic' AND c.started_at IS NOT NULL) c
       JOIN LATERAL (SELECT a.id FROM unnest($2::uuid[]) WITH ORDINALITY AS a (id, ordinal)
         WHERE a.id <> c.user_id ORDER BY (a.ordinal + c.n) % 4 LIMIT 1) colleague ON true
       CROSS JOIN LATERAL (
         SELECT c.user_id, 'accepted' AS status, NULL AS reason,
           c.started_at - make_interval(secs => 1 + c.n % 3) AS offered_at, c.started_at AS ended_at
         UNION ALL
         SELECT colleague.id, 'declined', 'Vou almoçar', c.inserted_at,
           c.inserted_at + interval '1 second'
         WHERE c.n % 7 = 0 AND c.started_at <= c.inserted_at + make_interval(secs => c.offer_timeout + 4)
         UNION ALL
         SELECT colleague.id, 'expired', NULL, c.inserted_at, c.inserted_at + make_interval(secs => c.offer_timeout)
         WHERE c.started_at > c.inserted_at + make_interval(secs => c.offer_timeout + 4)) o`,
    [tenantId, agents.map(({ id }) => id)],
  );
}
