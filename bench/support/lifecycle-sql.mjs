// The least SQL that could do the job of a call from join to rating: five transactions, with the scope of row-level
// security and every row that the service has to write: the call, its customer, its timeline, the audit log, the state of the
// agent with its period, and the events. All statements are prepared, and those that do not depend on each other are sent in
// one packet: a join waits twice, because what the queue holds may only be counted once its department is locked; every other
// step waits once. The agent has no wrap-up and gets no offers.

const SYSTEM = { name: 'system', text: `SELECT set_config('app.system', 'on', true)`, values: [] };
const SCOPE = { name: 'scope', text: `SELECT set_config('app.tenant_id', $1, true)` };

/** Selects an event of each row that the named part of a statement returns. */
const eventOf = (type, part, id = 'id') => `SELECT tenant_id, '${type}', ${id},
  jsonb_build_object('type', '${type}', 'tenant_id', tenant_id, 'subject_id', ${id}), now() FROM ${part}`;

/**
 * Makes a statement that changes a call and writes the other rows of the change.
 * @param before parts that the change reads
 * @param parts that read the change
 * @param events of further parts
 */
const step = ({ name, type, entry, change, before = [], parts = [], events = [] }) => {
  const timeline = `timeline AS (
      INSERT INTO call_timeline (tenant_id, call_id, at, type, user_id, details)
      SELECT tenant_id, id, now(), '${entry}', user_id, '{}' FROM changed)`;
  const changed = `changed AS (${change} RETURNING tenant_id, id, user_id)`;
  return {
    name,
    text: `WITH ${[...before, changed, timeline, ...parts].join(', ')}
      INSERT INTO domain_events (tenant_id, type, subject_id, payload, occurred_at)
      ${[eventOf(type, 'changed'), ...events].join(' UNION ALL ')} RETURNING subject_id`,
  };
};

/** As step, by an agent: with the audit log. */
const staffStep = (others) =>
  step({
    ...others,
    parts: [
      `audit AS (
        INSERT INTO audit_log (tenant_id, user_id, action, subject_type, subject_id, details, inserted_at)
        SELECT tenant_id, user_id, '${others.type}', 'call', id, '{}', now() FROM changed)`,
    ],
  });

/** The state of an agent depends on all of their calls, so changes of these wait for each other. */
const AGENT = { name: 'agent', text: 'SELECT FROM presences WHERE user_id = $1 FOR NO KEY UPDATE' };
/** The state of the agent that follows from their calls and sockets, with their period. An agent has one open period. */
const STATE = {
  name: 'state',
  text: `WITH facts AS MATERIALIZED (
      SELECT p.user_id, p.chosen, EXISTS (SELECT FROM connections o WHERE o.user_id = p.user_id) AS has_socket,
        (SELECT min(c.status) FROM calls c WHERE c.tenant_id = p.tenant_id AND c.user_id = p.user_id
          AND c.status IN ('assigned', 'active')) AS call
      FROM presences p WHERE p.user_id = $1),
    agent AS (
      UPDATE presences p SET state = n.state, announced = n.presence, state_since = now(), idle_since = now()
      FROM (SELECT user_id,
          CASE WHEN call IS NOT NULL THEN 'on_call' WHEN NOT has_socket THEN 'offline'
            WHEN chosen = 'away' THEN 'paused' ELSE 'available' END AS state,
          CASE WHEN call = 'active' THEN 'busy' WHEN NOT has_socket THEN 'offline' ELSE chosen END AS presence
        FROM facts) n
      WHERE p.user_id = n.user_id AND (p.state, p.announced) IS DISTINCT FROM (n.state, n.presence)
      RETURNING p.tenant_id, p.user_id, p.state, p.announced),
    ended AS (
      UPDATE presence_periods p SET ended_at = GREATEST(p.began_at, now()) FROM agent a
      WHERE p.user_id = a.user_id AND p.ended_at = 'infinity' RETURNING p.id),
    begun AS (
      INSERT INTO presence_periods (tenant_id, user_id, presence, state, began_at)
      SELECT tenant_id, user_id, announced, state, now() FROM agent
      WHERE announced <> 'offline' AND (SELECT count(*) FROM ended) >= 0)
    INSERT INTO domain_events (tenant_id, type, subject_id, payload, occurred_at)
    ${eventOf('agent.state_changed', 'agent', 'user_id')}`,
};

const LINK = {
  name: 'link',
  text: `SELECT l.id, l.tenant_id, d.id AS department_id, d.name, d.max_queue_size, d.max_wait_time
    FROM access_links l JOIN departments d ON d.id = l.department_id WHERE l.token = $1 FOR NO KEY UPDATE OF d, l`,
};
const USE = { name: 'use', text: 'UPDATE access_links SET use_count = use_count + 1 WHERE id = $1' };
const JOIN = step({
  name: 'join',
  type: 'call.queued',
  entry: 'joined',
  before: [
    `queue AS (
      SELECT queue_size FROM (SELECT count(*)::int AS queue_size FROM calls
        WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued') AS counted
      WHERE queue_size < $7)`,
    `customer AS (
      INSERT INTO customers (tenant_id, name, inserted_at, updated_at)
      SELECT $1, $5, now(), now() FROM queue RETURNING tenant_id, id)`,
  ],
  change: `INSERT INTO calls (tenant_id, status, department_id, department_name, access_link_id, customer_id, customer_name,
       estimated_wait_time, wait_deadline, inserted_at, updated_at)
     SELECT $1, 'queued', $2, $3, $4, customer.id, $5, 60 * queue_size, now() + make_interval(secs => $6), now(), now()
     FROM queue, customer`,
  events: [eventOf('customer.created', 'customer')],
});
const ASSIGN = staffStep({
  name: 'assign',
  type: 'call.assigned',
  entry: 'assigned',
  change: `UPDATE calls SET status = 'assigned', user_id = $2, user_name = 'Agent', assigned_at = now(),
     wait_time = extract(epoch FROM now() - inserted_at), wait_deadline = NULL,
     ring_deadline = now() + interval '30 s', version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'queued'`,
});
/** Within the limit of the plan. */
const START = staffStep({
  name: 'start',
  type: 'call.started',
  entry: 'started',
  change: `UPDATE calls SET status = 'active', started_at = now(), ring_deadline = NULL, version = version + 1,
     updated_at = now() WHERE id = $1 AND status = 'assigned' AND user_id = $2
     AND (SELECT count(*) FROM calls WHERE tenant_id = $3 AND status = 'active') < 1000`,
});
const COMPLETE = staffStep({
  name: 'complete',
  type: 'call.completed',
  entry: 'completed',
  change: `UPDATE calls SET status = 'completed', completed_at = now(), ended_at = now(), end_reason = 'normal',
     duration = extract(epoch FROM now() - started_at), version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'active' AND user_id = $2`,
});
const RATE = step({
  name: 'rate',
  type: 'call.rated',
  entry: 'rated',
  change: `UPDATE calls SET rating = 5, rated_at = now(), version = version + 1, updated_at = now()
   WHERE id = $1 AND status = 'completed' AND rating IS NULL`,
});

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
  assign: (pool, call, userId) => staffChange(pool, call, ASSIGN, [call.call_id, userId]),
  start: (pool, call, userId) => staffChange(pool, call, START, [call.call_id, userId, call.tenant_id]),
  complete: (pool, call, userId) => staffChange(pool, call, COMPLETE, [call.call_id, userId]),
  rate: (pool, call) =>
    transaction(pool, { ...SCOPE, values: [call.tenant_id] }, (client) => [
      change(client, RATE, [call.call_id]),
    ]),
};

const staffChange = (pool, { tenant_id }, statement, values) =>
  transaction(pool, { ...SCOPE, values: [tenant_id] }, (client) => [
    change(client, statement, values),
    client.query({ ...AGENT, values: [values[1]] }),
    client.query({ ...STATE, values: [values[1]] }),
  ]);

const change = async (client, statement, values) => {
  const { rowCount } = await client.query({ ...statement, values });
  if (rowCount === 0) throw new Error(`${statement.name} is not possible.`);
};

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
