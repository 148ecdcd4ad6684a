import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Recordings of calls. A call can have several, one for each reload of the page. The foreign key to the department
 * prevents a department with recordings from being deleted. It is checked at the end of the transaction, because the
 * erasure of a tenant deletes its departments before its recordings.
 */
export class Recordings1780000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE recordings (
        id uuid CONSTRAINT recordings_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        department_id uuid,
        uploaded_by uuid,
        storage_key text NOT NULL CONSTRAINT recordings_storage_key_key UNIQUE
          CONSTRAINT recordings_storage_key_fkey REFERENCES stored_objects,
        content_type text NOT NULL,
        size bigint NOT NULL,
        duration integer,
        sha256 text NOT NULL,
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT recordings_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT recordings_content_key UNIQUE (call_id, sha256),
        CONSTRAINT recordings_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT recordings_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
        CONSTRAINT recordings_uploaded_by_fkey FOREIGN KEY (tenant_id, uploaded_by)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (uploaded_by)
      );
      CREATE INDEX recordings_call_idx ON recordings (tenant_id, call_id, inserted_at, id);
      CREATE INDEX recordings_age_idx ON recordings (tenant_id, inserted_at);
      CREATE INDEX recordings_department_idx ON recordings (tenant_id, department_id);
      CREATE TRIGGER recordings_discard_object AFTER DELETE ON recordings
        FOR EACH ROW EXECUTE FUNCTION discard_stored_object();
      ${tenantPolicy('recordings')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE recordings`);
  }
}
