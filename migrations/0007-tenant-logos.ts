import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** The logo of a tenant. It is stored in a column because it is small: the service re-encodes the uploaded image. */
export class TenantLogos1780000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenant_logos (
        tenant_id uuid CONSTRAINT tenant_logos_pkey PRIMARY KEY
          CONSTRAINT tenant_logos_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        content bytea NOT NULL,
        content_hash text NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      ${tenantPolicy('tenant_logos')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE tenant_logos`);
  }
}
