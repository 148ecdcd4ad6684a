import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepLine, PRESENT_FOR } from './0040-call-line';

/** Since when a call waits in its department: it may have been transferred there long after the customer joined. */
const waitsSince = (call: string) => `GREATEST(${call}.inserted_at, ${call}.transferred_at)`;

/** Until when the customer of a call that returns to a line is present: with a socket, or after a poll meanwhile. */
const RETURNING = `CASE WHEN NEW.absent_since IS NULL THEN 'infinity'::timestamptz
  WHEN NEW.seen_at + ${PRESENT_FOR} > NEW.updated_at THEN NEW.seen_at + ${PRESENT_FOR} END`;

/**
 * The triggers' functions that keep the entries of calls.
 * @param settings the department whose settings apply to an entry `e`
 * @param relaxFrom the time from which skill_relax_after counts
 */
export const keepWaitingCalls = (settings?: string, relaxFrom?: string) =>
  keepLine({ columns: ', waits_since', values: `, ${waitsSince('NEW')}` }, RETURNING, settings, relaxFrom);

/**
 * The longest waiting call of a department is that by the time in this department, not by the join. A customer who polls
 * while an agent has the call is present when it returns to the line.
 */
export class WaitingCalls1780000000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The default is for a call that enters a line while this waits for the table, by the former trigger.
      ALTER TABLE line_entries ADD waits_since timestamptz(3) NOT NULL DEFAULT now();
      DROP INDEX line_entries_oldest_idx;
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE line_entries e SET waits_since = ${waitsSince('c')} FROM calls c
        WHERE c.tenant_id = e.tenant_id AND c.id = e.call_id;
      SELECT set_config('app.system', 'off', true);
      -- When the customer of an assigned call was seen last.
      ALTER TABLE calls ADD seen_at timestamptz(3);
      ${keepWaitingCalls()}
      CREATE INDEX line_entries_oldest_idx ON line_entries (department_id, waits_since);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${keepLine()}
      DROP INDEX line_entries_oldest_idx;
      CREATE INDEX line_entries_oldest_idx ON line_entries (department_id, queue_number);
      ALTER TABLE line_entries DROP waits_since;
      ALTER TABLE calls DROP seen_at;
    `);
  }
}
