import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Tenants and customers whose data must not be deleted. A hold is in force while its row exists. Its foreign keys have no
 * ON DELETE, so the database refuses to delete what is held, also when both happen at the same time.
 */
export class LegalHolds1780000000058 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE legal_holds (
        id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT legal_holds_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL CONSTRAINT legal_holds_tenant_id_fkey REFERENCES tenants,
        -- Null for a hold of the whole tenant.
        customer_id uuid,
        reason text NOT NULL,
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT legal_holds_customer_id_fkey FOREIGN KEY (tenant_id, customer_id)
          REFERENCES customers (tenant_id, id)
      );
      -- The purges look for holds by it, and the deletion of a customer or tenant, too.
      CREATE UNIQUE INDEX legal_holds_customer_id_key ON legal_holds (tenant_id, customer_id) NULLS NOT DISTINCT;
      ${tenantPolicy('legal_holds')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE legal_holds');
  }
}
