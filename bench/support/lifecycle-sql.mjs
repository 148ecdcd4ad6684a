// The least SQL that could do the job of a call from join to rating: five transactions, with the scope of row-level
// security and the events that the outbox needs. All statements are prepared, and those that do not depend on each other
// are sent together.

const EVENT = {
  name: 'event',
  text: `INSERT INTO domain_events (tenant_id, type, subject_id, payload, occurred_at)
    VALUES ($1, $2, $3, $4, now())`,
};
const SYSTEM = { name: 'system', text: `SELECT set_config('app.system', 'on', true)`, values: [] };
const SCOPE = { name: 'scope', text: `SELECT set_config('app.tenant_id', $1, true)` };

const LINK = {
  name: 'link',
  text: `SELECT l.id, l.tenant_id, d.id AS department_id, d.name, d.max_queue_size, d.max_wait_time
    FROM access_links l JOIN departments d ON d.id = l.department_id WHERE l.token = $1 FOR NO KEY UPDATE OF d, l`,
};
const QUEUE_SIZE = {
  name: 'queue-size',
  text: `SELECT count(*)::int AS queue_size FROM calls
    WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued'`,
};
const USE = { name: 'use', text: 'UPDATE access_links SET use_count = use_count + 1 WHERE id = $1' };
const JOIN = {
  name: 'join',
  text: `INSERT INTO calls (tenant_id, status, department_id, department_name, access_link_id, customer_name,
      estimated_wait_time, wait_deadline, inserted_at, updated_at)
    VALUES ($1, 'queued', $2, $3, $4, $5, $6, now() + make_interval(secs => $7), now(), now()) RETURNING id`,
};
const ASSIGN = {
  name: 'assign',
  text: `UPDATE calls SET status = 'assigned', user_id = $2, user_name = 'Agent', assigned_at = now(),
      wait_time = extract(epoch FROM now() - inserted_at), wait_deadline = NULL,
      ring_deadline = now() + interval '30 s', version = version + 1, updated_at = now()
    WHERE id = $1 AND status = 'queued'`,
};
const ACTIVE = {
  name: 'active',
  text: `SELECT count(*)::int AS active FROM calls WHERE tenant_id = $1 AND status = 'active'`,
};
const START = {
  name: 'start',
  text: `UPDATE calls SET status = 'active', started_at = now(), ring_deadline = NULL, version = version + 1,
      updated_at = now() WHERE id = $1 AND status = 'assigned' AND user_id = $2`,
};
const COMPLETE = {
  name: 'complete',
  text: `UPDATE calls SET status = 'completed', completed_at = now(), ended_at = now(), end_reason = 'normal',
      duration = extract(epoch FROM now() - started_at), version = version + 1, updated_at = now()
    WHERE id = $1 AND status = 'active' AND user_id = $2`,
};
const RATE = {
  name: 'rate',
  text: `UPDATE calls SET rating = 5, version = version + 1, updated_at = now()
    WHERE id = $1 AND status = 'completed' AND rating IS NULL`,
};

/** The five steps. Each takes a pool of pipelined connections. */
export const lifecycle = {
  async join(pool, linkToken) {
    return transaction(pool, SYSTEM, async (run) => {
      const [link] = (await run(LINK, [linkToken])).rows;
      const { tenant_id, department_id } = link;
      const [size] = await Promise.all([run(QUEUE_SIZE, [tenant_id, department_id]), run(USE, [link.id])]);
      const { queue_size } = size.rows[0];
      if (queue_size >= link.max_queue_size) throw new Error('The queue is full.');
      const values = [
        tenant_id,
        department_id,
        link.name,
        link.id,
        'Customer',
        60 * queue_size,
        link.max_wait_time,
      ];
      const [{ id }] = (await run(JOIN, values)).rows;
      await record(run, tenant_id, 'call.queued', id);
      return { call_id: id, tenant_id };
    });
  },
  assign: (pool, call, userId) => change(pool, call, [[ASSIGN, [call.call_id, userId]]], 'call.assigned'),
  start: (pool, call, userId) =>
    change(
      pool,
      call,
      [
        [ACTIVE, [call.tenant_id]],
        [START, [call.call_id, userId]],
      ],
      'call.started',
    ),
  complete: (pool, call, userId) => change(pool, call, [[COMPLETE, [call.call_id, userId]]], 'call.ended'),
  rate: (pool, call) => change(pool, call, [[RATE, [call.call_id]]], 'call.rated'),
};

const record = (run, tenantId, type, id) =>
  run(EVENT, [tenantId, type, id, JSON.stringify({ type, tenant_id: tenantId, subject_id: id })]);

const change = (pool, { call_id, tenant_id }, statements, event) =>
  transaction(pool, { ...SCOPE, values: [tenant_id] }, async (run) => {
    const results = await Promise.all([
      ...statements.map(([statement, values]) => run(statement, values)),
      record(run, tenant_id, event, call_id),
    ]);
    if (results.at(-2).rowCount !== 1) throw new Error(`${event} is not possible.`);
  });

/** BEGIN and the scope are sent with the first statement. */
async function transaction(pool, scope, work) {
  const client = await pool.connect();
  const opened = Promise.all([client.query('BEGIN'), client.query(scope)]);
  try {
    const result = await work((statement, values) => client.query({ ...statement, values }));
    await opened;
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
