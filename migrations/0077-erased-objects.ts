import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which erasure has made a stored object due, and its size: the receipt of the erasure counts them, and is signed when the
 * last one has been deleted. A transaction names its erasure in `app.erasure_id`.
 */
export class ErasedObjects1780000000077 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE stored_objects
        -- Null for an object that no erasure has made due.
        ADD erasure_id uuid,
        ADD bytes bigint;

      CREATE OR REPLACE FUNCTION discard_stored_object() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now(), bytes = OLD.size,
          erasure_id = NULLIF(current_setting('app.erasure_id', true), '')::uuid
          WHERE key = OLD.storage_key;
        RETURN NULL;
      END $$;

      CREATE OR REPLACE FUNCTION discard_objects_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now(),
          erasure_id = NULLIF(current_setting('app.erasure_id', true), '')::uuid
          WHERE tenant_id = OLD.id AND (discard_at IS NULL OR discard_at > now());
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION discard_stored_object() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now() WHERE key = OLD.storage_key;
        RETURN NULL;
      END $$;

      CREATE OR REPLACE FUNCTION discard_objects_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE stored_objects SET discard_at = now()
          WHERE tenant_id = OLD.id AND (discard_at IS NULL OR discard_at > now());
        RETURN NULL;
      END $$;

      ALTER TABLE stored_objects DROP erasure_id, DROP bytes;
    `);
  }
}
