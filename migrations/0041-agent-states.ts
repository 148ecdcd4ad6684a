import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = `('on_call', 'offline', 'offered', 'wrap_up', 'paused', 'available')`;

const userPresence = (wrapUp: string) => `
  -- The only definition of presence. security_invoker: row-level security applies to the reader, not to the owner.
  CREATE OR REPLACE VIEW user_presence WITH (security_invoker = true) AS
    SELECT u.tenant_id, u.id AS user_id,
      CASE
        WHEN EXISTS (SELECT FROM calls c
          WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.status = 'active') THEN 'busy'
        WHEN NOT EXISTS (SELECT FROM connections o WHERE o.user_id = u.id) THEN 'offline'
        ${wrapUp}
        ELSE COALESCE(p.chosen, 'online')
      END AS presence
    FROM users u LEFT JOIN presences p ON p.user_id = u.id;`;

/** An assigned call ends the wrap-up for the presence: the agent is about to take it. */
const WRAP_UP = `WHEN p.wrap_up_until IS NOT NULL AND NOT EXISTS (SELECT FROM calls c
          WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.status = 'assigned') THEN 'busy'`;

/**
 * The view of the states of agents.
 * @param offered the condition of the state `offered` for the user `u`
 */
export const agentStates = (offered: string) => `
  -- The only definition of the state of an agent; presences.state is what was announced last. It needs no clock, because
  -- wrap_up_until is cleared when the time has passed.
  CREATE OR REPLACE VIEW agent_states WITH (security_invoker = true) AS
    SELECT u.tenant_id, u.id AS user_id, u.active, a.state, up.presence,
      CASE a.state WHEN 'paused' THEN p.reason END AS reason, open.call_id
    FROM users u JOIN presences p ON p.user_id = u.id JOIN user_presence up ON up.user_id = u.id
      LEFT JOIN LATERAL (SELECT c.id AS call_id FROM calls c
        WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.status IN ('assigned', 'active')
        ORDER BY c.status, c.id LIMIT 1) open ON true
      CROSS JOIN LATERAL (SELECT CASE
        WHEN open.call_id IS NOT NULL THEN 'on_call'
        WHEN NOT EXISTS (SELECT FROM connections o WHERE o.user_id = u.id) THEN 'offline'
        WHEN ${offered} THEN 'offered'
        WHEN p.wrap_up_until IS NOT NULL THEN 'wrap_up'
        WHEN p.chosen = 'away' THEN 'paused'
        ELSE 'available' END AS state) a;`;

/**
 * The states of agents: the row of a user in `presences` becomes the row that is locked whenever the state of an agent
 * changes, so every user has one.
 */
export class AgentStates1780000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls VALIDATE CONSTRAINT calls_priority_check;
      ALTER TABLE calls VALIDATE CONSTRAINT calls_rank_check;

      ALTER TABLE presences
        -- Why the agent chose to pause, or missed_offer.
        ADD reason text,
        -- The state announced last, and its reason.
        ADD state text NOT NULL DEFAULT 'offline' CONSTRAINT presences_state_check CHECK (state IN ${STATES}),
        ADD state_reason text,
        ADD state_since timestamptz(3),
        -- By which the agent who waits longest is found.
        ADD idle_since timestamptz(3),
        ADD wrap_up_started_at timestamptz(3),
        ADD wrap_up_until timestamptz(3),
        ADD wrap_up_part_id uuid,
        -- The calls that the agent started on a day in the time zone of the company.
        ADD calls_day date,
        ADD calls_count integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT presences_wrap_up_check CHECK ((wrap_up_until IS NULL) = (wrap_up_started_at IS NULL));
      CREATE INDEX presences_available_idx ON presences (tenant_id, user_id) WHERE state = 'available';
      CREATE INDEX presences_wrap_up_idx ON presences (wrap_up_until) WHERE wrap_up_until IS NOT NULL;

      -- Null in the rows of instances of the previous release.
      ALTER TABLE presence_periods
        ADD state text CONSTRAINT presence_periods_state_check CHECK (state IN ${STATES}),
        ADD reason text;

      CREATE FUNCTION add_agent_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO presences (user_id, tenant_id) VALUES (NEW.id, NEW.tenant_id)
          ON CONFLICT ON CONSTRAINT presences_pkey DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER users_add_agent_row AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION add_agent_row();

      ${userPresence(WRAP_UP)}
      ${agentStates('false')}

      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      INSERT INTO presences (user_id, tenant_id) SELECT id, tenant_id FROM users
        ON CONFLICT ON CONSTRAINT presences_pkey DO NOTHING;
      UPDATE presences p SET state = s.state, state_reason = s.reason, state_since = now(),
        idle_since = CASE WHEN s.state = 'available' THEN now() END
      FROM agent_states s WHERE s.user_id = p.user_id AND s.state <> 'offline';
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW agent_states;
      ${userPresence('')}
      DROP TRIGGER users_add_agent_row ON users;
      DROP FUNCTION add_agent_row;
      ALTER TABLE presence_periods DROP state, DROP reason;
      ALTER TABLE presences DROP reason, DROP state, DROP state_reason, DROP state_since, DROP idle_since,
        DROP wrap_up_started_at, DROP wrap_up_until, DROP wrap_up_part_id, DROP calls_day, DROP calls_count;
    `);
  }
}
