import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from '../src/platform/database/tenant-policy';

/**
 * What lies in the storage. A row outlives its tenant, since the object does until it is swept: hence no foreign
 * key to it. `discard_at` is empty while a record stands for the object; it has microseconds, since whoever
 * compares it with the time must never see it rounded up.
 */
export class StoredObjects1780000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stored_objects (
        key text CONSTRAINT stored_objects_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        discard_at timestamptz
      );
      CREATE INDEX stored_objects_discard_idx ON stored_objects (discard_at) WHERE discard_at IS NOT NULL;
      ${tenantPolicy('stored_objects')}

      -- For tables with a column storage_key: whatever deletes a record gives its object up, cascades included.
      CREATE FUNCTION discard_stored_object() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now() WHERE key = OLD.storage_key;
        RETURN NULL;
      END $$;

      -- What no record stood for yet, as an upload under way.
      CREATE FUNCTION discard_objects_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now()
          WHERE tenant_id = OLD.id AND (discard_at IS NULL OR discard_at > now());
        RETURN NULL;
      END $$;
      CREATE TRIGGER tenants_discard_objects AFTER DELETE ON tenants
        FOR EACH ROW EXECUTE FUNCTION discard_objects_of_tenant();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tenants_discard_objects ON tenants;
      DROP TABLE stored_objects;
      DROP FUNCTION discard_objects_of_tenant, discard_stored_object;
    `);
  }
}
