import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Webhooks of a company, their deliveries and attempts. */
export class Webhooks1780000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhooks (
        id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL CONSTRAINT webhooks_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        url text NOT NULL,
        events text[] NOT NULL,
        description text,
        active boolean NOT NULL DEFAULT true,
        previous_secret_expires_at timestamptz(3),
        failing_since timestamptz(3),
        switched_off_at timestamptz(3),
        switched_off_reason text CONSTRAINT webhooks_switched_off_reason_check
          CHECK (switched_off_reason IN ('failing', 'gone')),
        inserted_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT webhooks_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT webhooks_switched_off_check CHECK
          ((switched_off_at IS NULL) = (switched_off_reason IS NULL) AND NOT (active AND switched_off_at IS NOT NULL))
      );
      CREATE INDEX webhooks_inserted_idx ON webhooks (tenant_id, inserted_at, id);
      ${tenantPolicy('webhooks')}

      -- Encrypted. The row without expires_at is the current secret; previous ones remain valid until theirs.
      CREATE TABLE webhook_secrets (
        id uuid CONSTRAINT webhook_secrets_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        secret text NOT NULL,
        expires_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT webhook_secrets_webhook_id_fkey FOREIGN KEY (tenant_id, webhook_id)
          REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX webhook_secrets_current_key ON webhook_secrets (webhook_id) WHERE expires_at IS NULL;
      CREATE INDEX webhook_secrets_webhook_idx ON webhook_secrets (webhook_id, inserted_at);
      ${tenantPolicy('webhook_secrets')}

      -- A payload is json, not jsonb, because its text is signed.
      CREATE TABLE webhook_deliveries (
        id uuid CONSTRAINT webhook_deliveries_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        event text NOT NULL,
        payload json NOT NULL,
        customer_id uuid,
        status text NOT NULL CONSTRAINT webhook_deliveries_status_check
          CHECK (status IN ('pending', 'delivered', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        response_status integer,
        response_body text,
        error text,
        duration_ms integer,
        next_attempt_at timestamptz(3),
        claimed_until timestamptz(3),
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT webhook_deliveries_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT webhook_deliveries_pending_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
        CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (tenant_id, webhook_id)
          REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, next_attempt_at, id)
        WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_claimed_idx ON webhook_deliveries (webhook_id, claimed_until)
        WHERE claimed_until IS NOT NULL;
      CREATE INDEX webhook_deliveries_inserted_idx ON webhook_deliveries (tenant_id, webhook_id, inserted_at, id);
      CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (tenant_id, webhook_id, inserted_at, id)
        WHERE status = 'failed';
      CREATE INDEX webhook_deliveries_customer_idx ON webhook_deliveries (tenant_id, customer_id)
        WHERE customer_id IS NOT NULL;
      CREATE INDEX webhook_deliveries_age_idx ON webhook_deliveries (inserted_at);
      ${tenantPolicy('webhook_deliveries')}

      CREATE TABLE webhook_attempts (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT webhook_attempts_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        delivery_id uuid NOT NULL,
        number integer NOT NULL,
        response_status integer,
        response_body text,
        error text,
        duration_ms integer,
        inserted_at timestamptz(3) NOT NULL,
        CONSTRAINT webhook_attempts_number_key UNIQUE (delivery_id, number),
        CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (tenant_id, delivery_id)
          REFERENCES webhook_deliveries (tenant_id, id) ON DELETE CASCADE
      );
      ${tenantPolicy('webhook_attempts')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_attempts, webhook_deliveries, webhook_secrets, webhooks`);
  }
}
