import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calls keep the id of their department after its deletion. The foreign key moves to a column of its own, which a
 * trigger fills: a call still cannot refer to a department that does not exist, or to one of another tenant.
 */
export class CallsOfDeletedDepartments1780000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls DROP CONSTRAINT calls_department_id_fkey, ADD existing_department_id uuid;
      -- Fills the column by rewriting the table, which leaves no dead rows behind, unlike an UPDATE.
      ALTER TABLE calls ALTER existing_department_id TYPE uuid USING department_id;
      ALTER TABLE calls ADD CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, existing_department_id)
        REFERENCES departments (tenant_id, id) ON DELETE SET NULL (existing_department_id);

      -- Used by ON DELETE SET NULL.
      CREATE INDEX calls_existing_department_idx ON calls (tenant_id, existing_department_id)
        WHERE existing_department_id IS NOT NULL;

      CREATE FUNCTION refer_to_department() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.existing_department_id := NEW.department_id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER calls_refer_to_department BEFORE INSERT OR UPDATE OF department_id ON calls
        FOR EACH ROW EXECUTE FUNCTION refer_to_department();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER calls_refer_to_department ON calls;
      DROP FUNCTION refer_to_department;
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE calls SET department_id = NULL WHERE department_id IS DISTINCT FROM existing_department_id;
      ALTER TABLE calls DROP existing_department_id,
        ADD CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) ON DELETE SET NULL (department_id);
      SELECT set_config('app.system', 'off', true);
    `);
  }
}
