import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepWaitingCalls } from './0047-waiting-calls';

/** The columns of an entry that are the same in both lines of a call. */
const SHARED = `call_id, tenant_id, reserved_user_id, skill_ids, min_levels, first_at, rank_at, queue_number, present_until,
    present, relax_at, reserved_until, waits_since`;

/** The department whose settings apply to an entry `e`: that which the call joined, also if it overflowed. */
export const SETTINGS_OF_ENTRY = 'COALESCE(e.overflowed_from, e.department_id)';

/**
 * A call that has waited for the overflow_after of its department also waits in the line of the overflow department. It has
 * a second entry there, which the triggers keep as the first one.
 */
export class Overflow1780000000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE departments
        -- Seconds; null: never.
        ADD overflow_after integer,
        ADD overflow_department_id uuid,
        ADD CONSTRAINT departments_overflow_check CHECK (overflow_department_id <> id),
        ADD CONSTRAINT departments_overflow_department_id_fkey FOREIGN KEY (tenant_id, overflow_department_id)
          REFERENCES departments (tenant_id, id) ON DELETE SET NULL (overflow_department_id);
      CREATE INDEX departments_overflow_idx ON departments (tenant_id, overflow_department_id)
        WHERE overflow_department_id IS NOT NULL;

      -- Without a foreign key, as department_id: it stays after the call has ended and the department is deleted.
      ALTER TABLE calls
        ADD overflow_department_id uuid,
        ADD overflowed_at timestamptz(3);
      CREATE INDEX calls_overflow_idx ON calls
        (tenant_id, overflow_department_id, priority_since, rank_at, queue_number)
        WHERE overflow_department_id IS NOT NULL AND ended_at IS NULL;

      -- The department from which the call overflowed, whose settings and reports it keeps; null for an entry in its own line.
      ALTER TABLE line_entries ADD overflowed_from uuid;
      -- Alerts and reports of a department are about its own calls.
      DROP INDEX line_entries_oldest_idx;
      CREATE INDEX line_entries_oldest_idx ON line_entries (department_id, waits_since) WHERE overflowed_from IS NULL;

      ${keepWaitingCalls(SETTINGS_OF_ENTRY)}

      -- calls_move_in_line fires before, in the order of the names, and has made the entry in the call's own line.
      CREATE FUNCTION overflow_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM line_entries WHERE call_id = NEW.id AND overflowed_from IS NOT NULL;
        IF NEW.status = 'queued' AND NEW.overflow_department_id IS NOT NULL THEN
          INSERT INTO line_entries (department_id, overflowed_from, ${SHARED})
          SELECT NEW.overflow_department_id, department_id, ${SHARED} FROM line_entries
          WHERE call_id = NEW.id AND department_id = NEW.department_id;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_overflow_line AFTER UPDATE OF status, department_id, overflow_department_id ON calls
        FOR EACH ROW WHEN ((OLD.overflow_department_id IS NOT NULL OR NEW.overflow_department_id IS NOT NULL)
          AND (OLD.status, OLD.department_id, OLD.overflow_department_id)
            IS DISTINCT FROM (NEW.status, NEW.department_id, NEW.overflow_department_id))
        EXECUTE FUNCTION overflow_line();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER calls_overflow_line ON calls;
      DROP FUNCTION overflow_line;
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      DELETE FROM line_entries WHERE overflowed_from IS NOT NULL;
      SELECT set_config('app.system', 'off', true);
      ${keepWaitingCalls()}
      DROP INDEX line_entries_oldest_idx;
      CREATE INDEX line_entries_oldest_idx ON line_entries (department_id, waits_since);
      ALTER TABLE line_entries DROP overflowed_from;
      ALTER TABLE calls DROP overflow_department_id, DROP overflowed_at;
      ALTER TABLE departments DROP overflow_after, DROP overflow_department_id;
    `);
  }
}
