import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Resumable uploads of recordings. A completed upload remains until it expires, for a client that missed the response
 * and asks for the offset.
 */
export class RecordingUploads1780000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE recording_uploads (
        id uuid CONSTRAINT recording_uploads_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        user_id uuid,
        metadata text,
        length bigint,
        received bigint NOT NULL DEFAULT 0,
        content_type text,
        lease_until timestamptz(3),
        finished_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL,
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT recording_uploads_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT recording_uploads_received_check CHECK (received <= length),
        CONSTRAINT recording_uploads_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT recording_uploads_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (user_id)
      );
      CREATE INDEX recording_uploads_call_idx ON recording_uploads (tenant_id, call_id);
      CREATE INDEX recording_uploads_expiry_idx ON recording_uploads (expires_at);
      CREATE INDEX recording_uploads_user_idx ON recording_uploads (tenant_id, user_id);
      CREATE INDEX recording_uploads_complete_idx ON recording_uploads (lease_until NULLS FIRST, inserted_at)
        WHERE received = length AND finished_at IS NULL;
      ${tenantPolicy('recording_uploads')}

      CREATE TABLE recording_upload_parts (
        upload_id uuid NOT NULL,
        tenant_id uuid NOT NULL,
        start_byte bigint NOT NULL,
        size bigint NOT NULL,
        storage_key text NOT NULL CONSTRAINT recording_upload_parts_storage_key_key UNIQUE
          CONSTRAINT recording_upload_parts_storage_key_fkey REFERENCES stored_objects,
        CONSTRAINT recording_upload_parts_pkey PRIMARY KEY (upload_id, start_byte),
        CONSTRAINT recording_upload_parts_upload_id_fkey FOREIGN KEY (tenant_id, upload_id)
          REFERENCES recording_uploads (tenant_id, id) ON DELETE CASCADE
      );
      CREATE TRIGGER recording_upload_parts_discard_object AFTER DELETE ON recording_upload_parts
        FOR EACH ROW EXECUTE FUNCTION discard_stored_object();
      ${tenantPolicy('recording_upload_parts')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE recording_upload_parts;
      DROP TABLE recording_uploads;
    `);
  }
}
