import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Adds a CHECK for new rows: the others are valid, because the former one held for them. */
const allow = (reasons: string) => `
  ALTER TABLE webhooks DROP CONSTRAINT webhooks_disabled_reason_check;
  ALTER TABLE webhooks ADD CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN (${reasons})) NOT VALID;
`;

/**
 * A change stores one row for each event, with the webhooks that subscribe to it; a task makes the deliveries of it. Webhooks
 * with too many pending deliveries are disabled.
 */
export class WebhookEvents1780000000115 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_events (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT webhook_events_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL CONSTRAINT webhook_events_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        event text NOT NULL,
        -- json, not jsonb, because its text is signed.
        payload json NOT NULL,
        customer_id uuid,
        -- The webhooks that were active, and those that were disabled as failing. They may have been deleted since.
        webhook_ids uuid[] NOT NULL,
        inactive_webhook_ids uuid[] NOT NULL,
        -- Why nothing is to be sent; null usually.
        error text,
        inserted_at timestamptz(3) NOT NULL
      );
      CREATE INDEX webhook_events_tenant_idx ON webhook_events (tenant_id, id);
      CREATE INDEX webhook_events_customer_idx ON webhook_events (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
      CREATE INDEX webhook_events_callback_idx ON webhook_events (tenant_id) WHERE event = 'callback.due';
      ${tenantPolicy('webhook_events')}
      ${allow(`'failing', 'gone', 'backlog'`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Set because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      INSERT INTO webhook_deliveries
        (tenant_id, webhook_id, event, payload, customer_id, status, next_attempt_at, error, inserted_at)
      SELECT e.tenant_id, w.id, e.event, e.payload, e.customer_id,
        CASE WHEN e.error IS NULL AND w.id = ANY (e.webhook_ids) THEN 'pending' ELSE 'failed' END,
        CASE WHEN e.error IS NULL AND w.id = ANY (e.webhook_ids) THEN e.inserted_at END,
        COALESCE(e.error, CASE WHEN w.id <> ALL (e.webhook_ids) THEN 'the webhook is inactive' END), e.inserted_at
      FROM webhook_events e JOIN webhooks w
        ON w.tenant_id = e.tenant_id AND w.id = ANY (e.webhook_ids || e.inactive_webhook_ids)
      WHERE w.deleted_at IS NULL
        AND (w.disabled_reason IS DISTINCT FROM 'backlog' OR w.id = ANY (e.inactive_webhook_ids));
      UPDATE webhooks SET disabled_reason = 'failing' WHERE disabled_reason = 'backlog';
      SELECT set_config('app.system', 'off', true);
      ${allow(`'failing', 'gone'`)}
      DROP TABLE webhook_events;
    `);
  }
}
