import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calls keep the id of their department after its deletion. The foreign key moves to a column of its own, which a trigger
 * fills: a call still cannot refer to a department that does not exist, or to one of another tenant. Only open calls have it,
 * because the deletion of a department clears the column in every row that refers to it, and past calls are without limit.
 */
export class CallsOfDeletedDepartments1780000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls DROP CONSTRAINT calls_department_id_fkey, ADD existing_department_id uuid;
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE calls SET existing_department_id = department_id WHERE ended_at IS NULL;
      SELECT set_config('app.system', 'off', true);
      ALTER TABLE calls ADD CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, existing_department_id)
        REFERENCES departments (tenant_id, id) ON DELETE SET NULL (existing_department_id);

      -- Used by ON DELETE SET NULL.
      CREATE INDEX calls_existing_department_idx ON calls (tenant_id, existing_department_id)
        WHERE existing_department_id IS NOT NULL;

      ${REFER_TO_DEPARTMENT}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER calls_refer_to_department ON calls;
      DROP FUNCTION refer_to_department;
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE calls c SET department_id = NULL WHERE department_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM departments d WHERE d.tenant_id = c.tenant_id AND d.id = c.department_id);
      ALTER TABLE calls DROP existing_department_id,
        ADD CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) ON DELETE SET NULL (department_id);
      SELECT set_config('app.system', 'off', true);
    `);
  }
}

/** An open call refers to its department, by a trigger before each change of what this depends on. */
export const REFER_TO_DEPARTMENT = `
  CREATE OR REPLACE FUNCTION refer_to_department() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.existing_department_id := CASE WHEN NEW.ended_at IS NULL THEN NEW.department_id END;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER calls_refer_to_department BEFORE INSERT OR UPDATE OF department_id, ended_at ON calls
    FOR EACH ROW EXECUTE FUNCTION refer_to_department();`;
