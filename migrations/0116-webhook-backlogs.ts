import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from '../src/platform/database/tenant-policy';

/** Deliveries that count towards the limit: those that a replay has queued again are no further rows, and are sent slowly. */
const COUNTED = `status = 'pending' AND replayed_at IS NULL`;

/** Counts the pending deliveries of each webhook, because reading all of them for each event would take long. */
export class WebhookBacklogs1780000000116 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_backlogs (
        webhook_id uuid CONSTRAINT webhook_backlogs_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        pending_count integer NOT NULL,
        CONSTRAINT webhook_backlogs_webhook_id_fkey FOREIGN KEY (tenant_id, webhook_id)
          REFERENCES webhooks (tenant_id, id) ON DELETE CASCADE
      );
      ${tenantPolicy('webhook_backlogs')}

      -- Several rows are written in the order of their ids, so that two statements cannot deadlock.
      CREATE FUNCTION count_webhook_backlogs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO webhook_backlogs AS b (webhook_id, tenant_id, pending_count)
          SELECT webhook_id, tenant_id, count(*) FROM new_rows WHERE ${COUNTED} GROUP BY 1, 2 ORDER BY 1
          ON CONFLICT (webhook_id) DO UPDATE SET pending_count = b.pending_count + EXCLUDED.pending_count;
        ELSIF TG_OP = 'UPDATE' THEN
          INSERT INTO webhook_backlogs AS b (webhook_id, tenant_id, pending_count)
          SELECT webhook_id, tenant_id, sum(change) FROM (
            SELECT webhook_id, tenant_id, 1 AS change FROM new_rows WHERE ${COUNTED}
            UNION ALL SELECT webhook_id, tenant_id, -1 FROM old_rows WHERE ${COUNTED}) AS changes
          GROUP BY 1, 2 HAVING sum(change) <> 0 ORDER BY 1
          ON CONFLICT (webhook_id) DO UPDATE SET pending_count = b.pending_count + EXCLUDED.pending_count;
        ELSE
          -- The webhook may be deleted at the same time, so no row is added.
          UPDATE webhook_backlogs b SET pending_count = b.pending_count - gone.count
          FROM (SELECT l.webhook_id, o.count FROM webhook_backlogs l
              JOIN (SELECT webhook_id, count(*) FROM old_rows WHERE ${COUNTED} GROUP BY 1) AS o
                ON o.webhook_id = l.webhook_id
              ORDER BY l.webhook_id FOR NO KEY UPDATE OF l) AS gone
          WHERE b.webhook_id = gone.webhook_id;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER webhook_deliveries_count_inserted AFTER INSERT ON webhook_deliveries
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_webhook_backlogs();
      CREATE TRIGGER webhook_deliveries_count_updated AFTER UPDATE ON webhook_deliveries
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_webhook_backlogs();
      CREATE TRIGGER webhook_deliveries_count_deleted AFTER DELETE ON webhook_deliveries
        REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_webhook_backlogs();

      -- Set because the policies apply to the owner, too. The triggers have locked the table until the transaction ends.
      SELECT set_config('app.system', 'on', true);
      INSERT INTO webhook_backlogs (webhook_id, tenant_id, pending_count)
      SELECT webhook_id, tenant_id, count(*) FROM webhook_deliveries WHERE ${COUNTED} GROUP BY 1, 2;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER webhook_deliveries_count_inserted ON webhook_deliveries;
      DROP TRIGGER webhook_deliveries_count_updated ON webhook_deliveries;
      DROP TRIGGER webhook_deliveries_count_deleted ON webhook_deliveries;
      DROP FUNCTION count_webhook_backlogs;
      DROP TABLE webhook_backlogs;
    `);
  }
}
