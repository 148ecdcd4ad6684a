import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** The alerts of departments; an episode has one row, so that it is announced once. */
export class QueueAlerts1780000000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE queue_alerts (
        id uuid CONSTRAINT queue_alerts_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT queue_alerts_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        department_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT queue_alerts_kind_check CHECK (kind IN ('longest_wait', 'nobody_available')),
        since timestamptz(3) NOT NULL,
        ended_at timestamptz(3)
      );
      CREATE UNIQUE INDEX queue_alerts_open_key ON queue_alerts (department_id, kind) WHERE ended_at IS NULL;
      CREATE INDEX queue_alerts_ended_idx ON queue_alerts (tenant_id, ended_at);
      ${tenantPolicy('queue_alerts')}

      -- The companies that want alerts, and the longest waiting call of a department, whatever the order of its line.
      CREATE INDEX tenants_alerts_idx ON tenants (id) WHERE alert_longest_wait IS NOT NULL OR alert_nobody_available;
      CREATE INDEX line_entries_oldest_idx ON line_entries (department_id, queue_number);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX line_entries_oldest_idx, tenants_alerts_idx;
      DROP TABLE queue_alerts;
    `);
  }
}
