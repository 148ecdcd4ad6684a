import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** The meaning of each notification, from which the subscription is computed; used storage. */
export class Billing1780000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway_events
        ADD kind text NOT NULL DEFAULT 'other' CONSTRAINT gateway_events_kind_check
          CHECK (kind IN ('paid', 'overdue', 'refunded', 'granted', 'other')),
        ADD occurred_at timestamptz(3) NOT NULL DEFAULT now(),
        -- Only in databases of the development versions before 0.1.0.
        ADD COLUMN IF NOT EXISTS arrival bigint GENERATED ALWAYS AS IDENTITY;
      -- Set because the policies apply to the owner, too. A gateway replay corrects occurred_at to the gateway's time.
      SELECT set_config('app.system', 'on', true);
      UPDATE gateway_events SET occurred_at = received_at, kind = CASE
        WHEN event IN ('PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED') THEN 'paid'
        WHEN event = 'PAYMENT_OVERDUE' THEN 'overdue'
        WHEN event = 'PAYMENT_REFUNDED' THEN 'refunded' ELSE 'other' END;
      DROP INDEX gateway_events_payment_idx;
      CREATE INDEX gateway_events_history_idx ON gateway_events (tenant_id, occurred_at, arrival);

      CREATE TABLE storage_usage (
        tenant_id uuid CONSTRAINT storage_usage_pkey PRIMARY KEY
          CONSTRAINT storage_usage_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        recording_bytes bigint NOT NULL DEFAULT 0
          CONSTRAINT storage_usage_recording_bytes_check CHECK (recording_bytes >= 0)
      );
      ${tenantPolicy('storage_usage')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE storage_usage;
      DROP INDEX gateway_events_history_idx;
      ALTER TABLE gateway_events DROP kind, DROP occurred_at;
      CREATE INDEX gateway_events_payment_idx ON gateway_events (tenant_id, payment_id);
    `);
  }
}
