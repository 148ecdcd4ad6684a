import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * The ledger of stored objects. There is no foreign key to the tenant, because a row must remain until the sweep has
 * deleted its object. `discard_at` is null while a record refers to the object. It has microseconds, because it must
 * never be rounded up when it is compared with the time.
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

      -- For tables with a column storage_key: every deletion of a record releases its object, including cascades.
      CREATE FUNCTION discard_stored_object() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now() WHERE key = OLD.storage_key;
        RETURN NULL;
      END $$;

      -- Objects without a record, such as an upload in progress.
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
