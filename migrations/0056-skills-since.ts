import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepWaitingCalls } from './0047-waiting-calls';
import { SETTINGS_OF_ENTRY } from './0049-overflow';

/**
 * skill_relax_after counts from the time since when a call has required its skills: the last change of them, or the join. A
 * trigger records the change, so that every writer of calls does, instances of the previous release, too.
 */
export class SkillsSince1780000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: since the join.
      ALTER TABLE calls ADD skills_changed_at timestamptz(3);

      CREATE FUNCTION record_skills_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.skills_changed_at := NEW.updated_at;
        RETURN NEW;
      END $$;
      CREATE TRIGGER calls_change_skills BEFORE UPDATE OF required_skills ON calls
        FOR EACH ROW WHEN (NEW.required_skills <> OLD.required_skills) EXECUTE FUNCTION record_skills_change();

      ${keepWaitingCalls(SETTINGS_OF_ENTRY, 'COALESCE(NEW.skills_changed_at, NEW.inserted_at)')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${keepWaitingCalls(SETTINGS_OF_ENTRY)}
      DROP TRIGGER calls_change_skills ON calls;
      DROP FUNCTION record_skills_change;
      ALTER TABLE calls DROP skills_changed_at;
    `);
  }
}
