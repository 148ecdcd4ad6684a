import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The function of migration 41. */
const FORMER_AGENT_ROW = `
  CREATE OR REPLACE FUNCTION add_agent_row() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO presences (user_id, tenant_id) VALUES (NEW.id, NEW.tenant_id)
      ON CONFLICT ON CONSTRAINT presences_pkey DO NOTHING;
    RETURN NULL;
  END $$;`;

/** Whether the user has taken a call in the last 30 days. */
const takesCalls = (user: string) => `EXISTS (SELECT FROM call_parts c
    WHERE c.tenant_id = ${user}.tenant_id AND c.user_id = ${user}.id AND c.started_at > now() - interval '30 days')`;

/**
 * Supervisors, managers and owners are paused until they choose to take calls: they log in to read, too. chosen_at tells a
 * choice from the state in which a user begins. Users who have taken a call in the last 30 days stay as they are.
 */
export class NotTakingCalls1780000000086 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE presences ADD chosen_at timestamptz(3);

      CREATE OR REPLACE FUNCTION add_agent_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO presences (user_id, tenant_id, chosen, reason) VALUES (NEW.id, NEW.tenant_id,
            CASE NEW.role WHEN 'attendant' THEN 'online' ELSE 'away' END,
            CASE NEW.role WHEN 'attendant' THEN NULL ELSE 'not_taking_calls' END)
          ON CONFLICT ON CONSTRAINT presences_pkey DO NOTHING;
        RETURN NULL;
      END $$;

      -- A user who has not chosen begins again as the new role does, unless they take calls. So does an attendant who chose
      -- to take none before, because attendants cannot.
      CREATE FUNCTION change_agent_role() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.role = 'attendant' THEN
          UPDATE presences SET chosen = 'online', reason = NULL, chosen_at = NULL
          WHERE user_id = NEW.id AND reason = 'not_taking_calls';
        ELSIF OLD.role = 'attendant' AND NOT ${takesCalls('NEW')} THEN
          UPDATE presences SET chosen = 'away', reason = 'not_taking_calls'
          WHERE user_id = NEW.id AND chosen_at IS NULL AND chosen = 'online';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER users_change_agent_role AFTER UPDATE OF role ON users FOR EACH ROW
        WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION change_agent_role();

      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE presences p SET chosen = 'away', reason = 'not_taking_calls'
      FROM users u WHERE u.id = p.user_id AND u.role <> 'attendant' AND NOT ${takesCalls('u')}
        AND (p.chosen = 'online' OR p.reason = 'missed_offer');
      UPDATE presences SET chosen_at = now() WHERE reason IS DISTINCT FROM 'not_taking_calls';
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER users_change_agent_role ON users;
      DROP FUNCTION change_agent_role;
      ${FORMER_AGENT_ROW}
      SELECT set_config('app.system', 'on', true);
      UPDATE presences SET chosen = 'online', reason = NULL WHERE reason = 'not_taking_calls';
      SELECT set_config('app.system', 'off', true);
      ALTER TABLE presences DROP chosen_at;
    `);
  }
}
