import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * The number of waiting calls of a department is the sum of its queue_changes. Each call that begins or ceases to wait
 * adds a row in its own transaction, so the sum is as exact as a count of the calls, and calls of one department do not
 * wait for each other to change a counter.
 */
export class QueueChanges1780000000038 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE queue_changes (
        tenant_id uuid NOT NULL,
        department_id uuid NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        change integer NOT NULL,
        CONSTRAINT queue_changes_pkey PRIMARY KEY (tenant_id, department_id, id)
      );
      ${tenantPolicy('queue_changes')}

      CREATE FUNCTION record_queue_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A call whose department was deleted is in no queue.
        IF TG_OP <> 'INSERT' AND OLD.status = 'queued' AND OLD.department_id IS NOT NULL THEN
          -- Calls are deleted with their tenant, before or after its departments.
          IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM departments WHERE id = OLD.department_id) THEN
            RETURN NULL;
          END IF;
          INSERT INTO queue_changes (tenant_id, department_id, change) VALUES (OLD.tenant_id, OLD.department_id, -1);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.status = 'queued' AND NEW.department_id IS NOT NULL THEN
          INSERT INTO queue_changes (tenant_id, department_id, change) VALUES (NEW.tenant_id, NEW.department_id, 1);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_enter_queue AFTER INSERT ON calls
        FOR EACH ROW WHEN (NEW.status = 'queued') EXECUTE FUNCTION record_queue_change();
      CREATE TRIGGER calls_change_queue AFTER UPDATE OF status, department_id ON calls
        FOR EACH ROW WHEN ((OLD.status = 'queued' OR NEW.status = 'queued')
          AND (OLD.status, OLD.department_id) IS DISTINCT FROM (NEW.status, NEW.department_id))
        EXECUTE FUNCTION record_queue_change();
      CREATE TRIGGER calls_leave_queue AFTER DELETE ON calls
        FOR EACH ROW WHEN (OLD.status = 'queued') EXECUTE FUNCTION record_queue_change();

      -- A foreign key would lock the department after the call, in the opposite order to a deletion of the department.
      CREATE FUNCTION delete_queue_changes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM queue_changes WHERE tenant_id = OLD.tenant_id AND department_id = OLD.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER departments_delete_queue_changes AFTER DELETE ON departments
        FOR EACH ROW EXECUTE FUNCTION delete_queue_changes();

      -- Joins count the waiting calls of the client's address.
      CREATE INDEX calls_queue_address_idx ON calls (tenant_id, department_id, client_address)
        WHERE status = 'queued' AND client_address IS NOT NULL;

      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      INSERT INTO queue_changes (tenant_id, department_id, change)
        SELECT tenant_id, department_id, count(*) FROM calls
        WHERE status = 'queued' AND department_id IS NOT NULL GROUP BY tenant_id, department_id;
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_queue_address_idx;
      DROP TRIGGER departments_delete_queue_changes ON departments;
      DROP TRIGGER calls_enter_queue ON calls;
      DROP TRIGGER calls_change_queue ON calls;
      DROP TRIGGER calls_leave_queue ON calls;
      DROP FUNCTION record_queue_change, delete_queue_changes;
      DROP TABLE queue_changes;
    `);
  }
}
