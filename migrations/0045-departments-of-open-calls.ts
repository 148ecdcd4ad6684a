import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a call refers to its department, by a trigger before each change of what this depends on. */
const referToDepartment = (value: string, columns: string) => `
  CREATE OR REPLACE FUNCTION refer_to_department() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.existing_department_id := ${value};
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER calls_refer_to_department BEFORE INSERT OR UPDATE OF ${columns} ON calls
    FOR EACH ROW EXECUTE FUNCTION refer_to_department();`;

/**
 * Only calls that have not ended refer to their department by a foreign key. The deletion of a department clears the
 * column in every row that refers to it, within one request: there are few open calls, but past ones without limit.
 */
export class DepartmentsOfOpenCalls1780000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${referToDepartment('CASE WHEN NEW.ended_at IS NULL THEN NEW.department_id END', 'department_id, ended_at')}
      -- Rewrites the table, which leaves no dead rows behind, unlike an UPDATE.
      ALTER TABLE calls ALTER existing_department_id TYPE uuid
        USING CASE WHEN ended_at IS NULL THEN existing_department_id END;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${referToDepartment('NEW.department_id', 'department_id')}
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE calls c SET existing_department_id = d.id FROM departments d
        WHERE d.tenant_id = c.tenant_id AND d.id = c.department_id AND c.ended_at IS NOT NULL;
      SELECT set_config('app.system', 'off', true);
    `);
  }
}
