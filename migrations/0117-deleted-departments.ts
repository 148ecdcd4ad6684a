import type { MigrationInterface, QueryRunner } from 'typeorm';
import { REFER_TO_DEPARTMENT } from './0021-calls-of-deleted-departments';

/**
 * The deletion of a department changes no links, appointments or waiting calls, of which there may be hundreds of thousands: a
 * job ends them in steps. So nothing of theirs refers to the department by a foreign key; a trigger keeps the half of the key
 * that checks new references. Only an assigned or active call prevents the deletion, by the foreign key that it already has.
 */
export class DeletedDepartments1780000000117 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION require_department() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A deletion in progress is waited for, and has to wait for this transaction otherwise.
        PERFORM FROM departments WHERE tenant_id = NEW.tenant_id AND id = NEW.department_id FOR KEY SHARE;
        IF NOT FOUND THEN
          RAISE foreign_key_violation USING MESSAGE = format('%I refers to a department that does not exist', TG_TABLE_NAME),
            TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_department_id_fkey';
        END IF;
        RETURN NULL;
      END $$;
      ALTER TABLE access_links DROP CONSTRAINT access_links_department_id_fkey;
      ALTER TABLE appointments DROP CONSTRAINT appointments_department_id_fkey;
      ALTER TABLE calls DROP CONSTRAINT calls_department_id_fkey;
      ${requireDepartment('access_links')}
      ${requireDepartment('appointments')}
      ${requireDepartment('calls', ' AND NEW.ended_at IS NULL')}

      CREATE OR REPLACE FUNCTION refer_to_department() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.existing_department_id := CASE WHEN NEW.status IN ('assigned', 'active') THEN NEW.department_id END;
        RETURN NEW;
      END $$;
      CREATE OR REPLACE TRIGGER calls_refer_to_department BEFORE INSERT OR UPDATE OF status, department_id, ended_at ON calls
        FOR EACH ROW EXECUTE FUNCTION refer_to_department();
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE calls SET existing_department_id = NULL
        WHERE existing_department_id IS NOT NULL AND status NOT IN ('assigned', 'active');
      SELECT set_config('app.system', 'off', true);
      ALTER TABLE calls ADD CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, existing_department_id)
        REFERENCES departments (tenant_id, id) NOT VALID;

      -- An upper limit of the links that are active: the number when they were counted last, and those made since. Null until
      -- they are counted.
      ALTER TABLE tenants ADD active_links_bound integer;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants DROP active_links_bound;
      DROP TRIGGER access_links_require_department ON access_links;
      DROP TRIGGER access_links_require_new_department ON access_links;
      DROP TRIGGER appointments_require_department ON appointments;
      DROP TRIGGER appointments_require_new_department ON appointments;
      DROP TRIGGER calls_require_department ON calls;
      DROP TRIGGER calls_require_new_department ON calls;
      DROP FUNCTION require_department;
      ALTER TABLE calls DROP CONSTRAINT calls_department_id_fkey;
      DROP TRIGGER calls_refer_to_department ON calls;
      ${REFER_TO_DEPARTMENT}
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      ${['access_links', 'appointments'].map(forgetDeleted).join('\n')}
      UPDATE calls c SET existing_department_id = department_id WHERE ended_at IS NULL
        AND EXISTS (SELECT FROM departments d WHERE d.tenant_id = c.tenant_id AND d.id = c.department_id);
      SELECT set_config('app.system', 'off', true);
      ALTER TABLE calls ADD CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, existing_department_id)
        REFERENCES departments (tenant_id, id) ON DELETE SET NULL (existing_department_id);
      ${['access_links', 'appointments'].map(addForeignKey).join('\n')}
    `);
  }
}

/** @param condition when a reference is checked, in addition to that there is one */
const requireDepartment = (table: string, condition = '') => `
      CREATE TRIGGER ${table}_require_department AFTER INSERT ON ${table}
        FOR EACH ROW WHEN (NEW.department_id IS NOT NULL${condition}) EXECUTE FUNCTION require_department();
      CREATE TRIGGER ${table}_require_new_department AFTER UPDATE OF department_id ON ${table}
        FOR EACH ROW WHEN (NEW.department_id IS NOT NULL AND NEW.department_id IS DISTINCT FROM OLD.department_id${condition})
        EXECUTE FUNCTION require_department();`;

const forgetDeleted = (
  table: string,
) => `UPDATE ${table} r SET department_id = NULL WHERE department_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM departments d WHERE d.tenant_id = r.tenant_id AND d.id = r.department_id);`;

const addForeignKey = (table: string) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_department_id_fkey
        FOREIGN KEY (tenant_id, department_id) REFERENCES departments (tenant_id, id) ON DELETE SET NULL (department_id);`;
