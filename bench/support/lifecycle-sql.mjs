// The least SQL that could do the job of a call from join to rating: five transactions, with the scope of row-level
// security and the events that the outbox needs. All statements are prepared, and those that do not depend on each other
// are sent in one packet: a join waits twice, because what the queue holds may only be counted once its department is
// locked; every other step waits once.

const SYSTEM = { name: 'system', text: `SELECT set_config('app.system', 'on', true)`, values: [] };
const SCOPE = { name: 'scope', text: `SELECT set_config('app.tenant_id', $1, true)` };

/** Makes a statement that writes a call and its event. @param change returns the tenant_id and the id of the call */
const withEvent = (name, type, change) => ({
  name,
  text: `WITH changed AS (${change} RETURNING tenant_id, id)
    INSERT INTO domain_events (tenant_id, type, subject_id, payload, occurred_at)
    SELECT tenant_id, '${type}', id,
      jsonb_build_object('type', '${type}', 'tenant_id', tenant_id, 'subject_id', id), now()
    FROM changed RETURNING subject_id`,
});

const LINK = {
  name: 'link',
  text: `SELECT l.id, l.tenant_id, d.id AS department_id, d.name, d.max_queue_size, d.max_wait_time
    FROM access_links l JOIN departments d ON d.id = l.department_id WHERE l.token = $1 FOR NO KEY UPDATE OF d, l`,
};
const USE = { name: 'use', text: 'UPDATE access_links SET use_count = use_count + 1 WHERE id = $1' };
const JOIN = withEvent(
  'join',
  'call.queued',
  `INSERT INTO calls (tenant_id, status, department_id, department_name, access_link_id, customer_name,
     estimated_wait_time, wait_deadline, inserted_at, updated_at)
   SELECT $1, 'queued', $2, $3, $4, $5, 60 * queue_size, now() + make_interval(secs => $6), now(), now()
   FROM (SELECT count(*)::int AS queue_size FROM calls
     WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued') AS queue
   WHERE queue_size < $7`,
);
const ASSIGN = withEvent(
  'assign',
  'call.assigned',
  `UPDATE calls SET status = 'assigned', user_id = $2, user_name = 'Agent', assigned_at = now(),
     wait_time = extract(epoch FROM now() - inserted_at), wait_deadline = NULL,
     ring_deadline = now() + interval '30 s', version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'queued'`,
);
/** Within the limit of the plan. */
const START = withEvent(
  'start',
  'call.started',
  `UPDATE calls SET status = 'active', started_at = now(), ring_deadline = NULL, version = version + 1,
     updated_at = now() WHERE id = $1 AND status = 'assigned' AND user_id = $2
     AND (SELECT count(*) FROM calls WHERE tenant_id = $3 AND status = 'active') < 1000`,
);
const COMPLETE = withEvent(
  'complete',
  'call.ended',
  `UPDATE calls SET status = 'completed', completed_at = now(), ended_at = now(), end_reason = 'normal',
     duration = extract(epoch FROM now() - started_at), version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'active' AND user_id = $2`,
);
const RATE = withEvent(
  'rate',
  'call.rated',
  `UPDATE calls SET rating = 5, version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'completed' AND rating IS NULL`,
);

/** The five steps. Each takes a pool of pipelined connections. */
export const lifecycle = {
  join: (pool, linkToken) =>
    transaction(pool, SYSTEM, async (client) => {
      const [link] = (await client.query({ ...LINK, values: [linkToken] })).rows;
      const { id, tenant_id, department_id, name, max_wait_time, max_queue_size } = link;
      const joining = client.query({
        ...JOIN,
        values: [tenant_id, department_id, name, id, 'Customer', max_wait_time, max_queue_size],
      });
      return [
        client.query({ ...USE, values: [id] }),
        joining.then(({ rows: [call] }) => {
          if (!call) throw new Error('The queue is full.');
          return { call_id: call.subject_id, tenant_id };
        }),
      ];
    }),
  assign: (pool, call, userId) => change(pool, call, ASSIGN, [call.call_id, userId]),
  start: (pool, call, userId) => change(pool, call, START, [call.call_id, userId, call.tenant_id]),
  complete: (pool, call, userId) => change(pool, call, COMPLETE, [call.call_id, userId]),
  rate: (pool, call) => change(pool, call, RATE, [call.call_id]),
};

const change = (pool, { tenant_id }, statement, values) =>
  transaction(pool, { ...SCOPE, values: [tenant_id] }, (client) => [
    client.query({ ...statement, values }).then(({ rowCount }) => {
      if (rowCount !== 1) throw new Error(`${statement.name} is not possible.`);
    }),
  ]);

/**
 * BEGIN and the scope are sent with the first statement, COMMIT with the last ones.
 * @param work sends its last statements without waiting, and returns their results
 * @returns the last of them
 */
async function transaction(pool, scope, work) {
  const client = await pool.connect();
  try {
    const opened = [client.query('BEGIN'), client.query(scope)];
    const results = await work(client);
    const all = await Promise.all([...opened, ...results, client.query('COMMIT')]);
    return all.at(-2);
  } finally {
    client.release();
  }
}
