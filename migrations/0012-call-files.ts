import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Files that staff add to calls. */
export class CallFiles1780000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE call_files (
        id uuid CONSTRAINT call_files_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        filename text NOT NULL,
        content_type text NOT NULL,
        size bigint NOT NULL,
        sha256 text NOT NULL,
        storage_key text NOT NULL CONSTRAINT call_files_storage_key_key UNIQUE
          CONSTRAINT call_files_storage_key_fkey REFERENCES stored_objects,
        uploaded_by uuid,
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT call_files_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT call_files_uploaded_by_fkey FOREIGN KEY (tenant_id, uploaded_by)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (uploaded_by)
      );
      CREATE INDEX call_files_call_idx ON call_files (tenant_id, call_id, inserted_at, id);
      CREATE TRIGGER call_files_discard_object AFTER DELETE ON call_files
        FOR EACH ROW EXECUTE FUNCTION discard_stored_object();
      ${tenantPolicy('call_files')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE call_files`);
  }
}
