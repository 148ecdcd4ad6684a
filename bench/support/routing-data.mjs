// Data for the distribution of calls: departments, skills, agents and lines of any length.

const DEPARTMENTS = 50;
const SKILLS = 20;
const AGENTS = 1000;
const DEPARTMENTS_OF_AGENT = 2;
const SKILLS_OF_AGENT = 3;
/** Waiting calls of one insert. */
const BATCH = 10_000;

const SKILLED = `SELECT array_agg(id ORDER BY name) FROM skills WHERE tenant_id = $1`;

/** $2 calls: half of them need no skill, a third one, the others two; one in fifty is reserved. */
const WAITING = `
  INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time, priority,
    required_skills, reserved_user_id, rank_at, inserted_at, updated_at)
  SELECT $1, 'queued', d.ids[1 + (n * 7919) % ${DEPARTMENTS}], 'Bench', 'Customer ' || n, 60, n % 10,
    (SELECT COALESCE(jsonb_agg(jsonb_build_object('skill_id', s.ids[1 + (n * 31 + k * 7) % ${SKILLS}],
        'min_level', 1 + (n + k) % 3)), '[]')
     FROM generate_series(1, CASE WHEN n % 6 < 3 THEN 0 WHEN n % 6 < 5 THEN 1 ELSE 2 END) k),
    CASE WHEN n % 50 = 0 THEN u.ids[1 + n % ${AGENTS}] END,
    now() - make_interval(secs => ($2 - n) * 0.01 + (n % 10) * 60), now() - make_interval(secs => ($2 - n) * 0.01), now()
  FROM generate_series($3::int + 1, LEAST($3 + ${BATCH}, $2::int)) n,
    (SELECT array_agg(id ORDER BY name) AS ids FROM departments WHERE tenant_id = $1) d,
    (${SKILLED}) s (ids),
    (SELECT array_agg(id ORDER BY email) AS ids FROM users WHERE tenant_id = $1 AND role = 'attendant') u`;

/**
 * Creates departments that offer calls, skills and agents.
 * @param passwordHash of the agents
 * @returns the ids of the agents; their addresses are agent1@bench.example and so on
 */
export async function insertAgents(db, tenantId, passwordHash) {
  await db.query(
    `INSERT INTO departments (tenant_id, name, identifier, routing, max_queue_size, offer_timeout, skill_relax_after,
       preferred_agent_wait)
     SELECT $1, 'Department ' || n, 'd' || n, 'automatic', 1000000, 120, NULL, 86400 FROM generate_series(1, $2::int) n`,
    [tenantId, DEPARTMENTS],
  );
  await db.query(
    `INSERT INTO skills (tenant_id, name) SELECT $1, 'Skill ' || n FROM generate_series(1, $2::int) n`,
    [tenantId, SKILLS],
  );
  const { rows } = await db.query(
    `INSERT INTO users (tenant_id, name, email, role, password_hash)
     SELECT $1, 'Agent ' || n, 'agent' || n || '@bench.example', 'attendant', $3 FROM generate_series(1, $2::int) n
     RETURNING id`,
    [tenantId, AGENTS, passwordHash],
  );
  await db.query(
    `INSERT INTO department_members (tenant_id, department_id, user_id)
     SELECT $1, d.ids[1 + (a.n * 7 + k * 13) % ${DEPARTMENTS}], a.id
     FROM (SELECT id, row_number() OVER (ORDER BY email)::int AS n FROM users
           WHERE tenant_id = $1 AND role = 'attendant') a,
       generate_series(1, $2::int) k,
       (SELECT array_agg(id ORDER BY name) AS ids FROM departments WHERE tenant_id = $1) d`,
    [tenantId, DEPARTMENTS_OF_AGENT],
  );
  await db.query(
    `INSERT INTO user_skills (tenant_id, user_id, skill_id, level)
     SELECT $1, a.id, s.ids[1 + (a.n + k * 3) % ${SKILLS}], 1 + (a.n + k) % 5
     FROM (SELECT id, row_number() OVER (ORDER BY email)::int AS n FROM users
           WHERE tenant_id = $1 AND role = 'attendant') a, generate_series(1, $2::int) k, (${SKILLED}) s (ids)`,
    [tenantId, SKILLS_OF_AGENT],
  );
  return rows.map(({ id }) => id);
}

/**
 * Lets agents be connected, by rows alone, and pause.
 * @param ids of the agents
 */
export async function insertConnections(db, tenantId, ids) {
  // The service takes it for an instance that is alive.
  await db.query(`INSERT INTO instances (id, heartbeat_at) VALUES ($1, now() + interval '1 day')`, [
    tenantId,
  ]);
  await db.query(
    `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id)
     SELECT $1, $1, id::text, id FROM unnest($2::uuid[]) id`,
    [tenantId, ids],
  );
  await pauseAgents(db, ids);
}

/** Lets the agents become available, without an event. */
export async function makeAvailable(db, ids) {
  await db.query(
    `UPDATE presences SET chosen = 'online', announced = 'online', state = 'available', state_since = now(),
       idle_since = now() - random() * interval '1 hour' WHERE user_id = ANY ($1)`,
    [ids],
  );
}

/** Lets the agents pause, without an event, and forgets their offers. */
export async function pauseAgents(db, ids) {
  await db.query(
    `UPDATE presences SET chosen = 'away', announced = 'away', state = 'paused', state_since = now()
     WHERE user_id = ANY ($1)`,
    [ids],
  );
  await db.query('DELETE FROM offers WHERE user_id = ANY ($1)', [ids]);
}

/** Lets the tenant's lines grow to `count` calls in all, whose customers have sockets. */
export async function growLines(db, tenantId, count) {
  const { rows } = await db.query('SELECT count(*)::int AS waiting FROM line_entries WHERE tenant_id = $1', [
    tenantId,
  ]);
  for (let { waiting } = rows[0]; waiting < count; waiting += BATCH)
    await db.query(WAITING, [tenantId, count, waiting]);
  await db.query('VACUUM (ANALYZE)');
}
