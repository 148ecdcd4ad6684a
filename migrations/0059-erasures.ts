import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Receipts of erased customers and tenants, the keys that sign them, and which customers were merged into which. */
export class Erasures1780000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Has no foreign key to tenants, since it outlives an erased tenant. Contains ids only, no personal data.
      CREATE TABLE erasures (
        id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT erasures_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT erasures_kind_check CHECK (kind IN ('customer', 'tenant')),
        -- The customer and all that had been merged into it; the tenant.
        subject_ids uuid[] NOT NULL,
        -- Signed (JWS); null until the stored objects have been deleted.
        receipt text,
        -- When the erasure was written to the journal in the storage; null until then.
        journalled_at timestamptz(3),
        erased_at timestamptz(3) NOT NULL
      );
      CREATE INDEX erasures_pending_idx ON erasures (erased_at) WHERE journalled_at IS NULL;
      ${tenantPolicy('erasures')}

      -- Key pairs of the whole installation. A public key is kept for as long as receipts are verified with it.
      CREATE TABLE receipt_keys (
        id text CONSTRAINT receipt_keys_pkey PRIMARY KEY,
        public_key text NOT NULL,
        sealed_private_key text NOT NULL,
        inserted_at timestamptz(3) NOT NULL
      );
      ALTER TABLE receipt_keys ENABLE ROW LEVEL SECURITY;
      ALTER TABLE receipt_keys FORCE ROW LEVEL SECURITY;
      CREATE POLICY receipt_keys_system_scope ON receipt_keys
        USING ((SELECT current_setting('app.system', true) = 'on'))
        WITH CHECK ((SELECT current_setting('app.system', true) = 'on'));

      -- A database that is restored to a moment before a merge has the merged customers again: an erasure of the
      -- customer must erase them, too.
      CREATE TABLE customer_merges (
        merged_id uuid CONSTRAINT customer_merges_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        -- The customer that it belongs to now.
        customer_id uuid NOT NULL,
        CONSTRAINT customer_merges_customer_id_fkey FOREIGN KEY (tenant_id, customer_id)
          REFERENCES customers (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX customer_merges_customer_id_idx ON customer_merges (tenant_id, customer_id);
      ${tenantPolicy('customer_merges')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE customer_merges, receipt_keys, erasures');
  }
}
