import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantScope } from './tenant-policy';

/**
 * Payloads of payment notifications can be removed, and rows of the audit log deleted once they are 30 days old: only by
 * purge_audit_log, which runs with the owner's rights. The service's role still cannot delete them itself.
 */
export class Retention1780000000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway_events ALTER payload DROP NOT NULL;
      CREATE INDEX gateway_events_payload_idx ON gateway_events (received_at) WHERE payload IS NOT NULL;

      CREATE OR REPLACE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- A TRUNCATE has no OLD, so the condition that reads it is separate.
        IF TG_OP = 'DELETE' THEN
          IF pg_trigger_depth() > 1 OR (current_setting('app.audit_purge', true) = 'on'
              AND OLD.inserted_at < now() - interval '30 days') THEN
            RETURN OLD;
          END IF;
        END IF;
        RAISE EXCEPTION 'audit_log takes new rows only' USING ERRCODE = 'insufficient_privilege';
      END $$;

      -- Deletes those of the scope's rows that are older than 30 days, and returns their ids. It checks the scope itself,
      -- because the policies do not apply to an owner who bypasses row-level security.
      CREATE FUNCTION purge_audit_log(ids uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = public, pg_temp AS $$
      BEGIN
        PERFORM set_config('app.audit_purge', 'on', true);
        RETURN QUERY DELETE FROM audit_log
          WHERE id = ANY (ids) AND inserted_at < now() - interval '30 days' AND ${tenantScope('tenant_id')} RETURNING id;
        PERFORM set_config('app.audit_purge', '', true);
      END $$;

      -- Its successor purges deliveries, too. Without this, its jobs would wait for a worker that does not exist.
      DO $$ BEGIN
        IF to_regclass('pgboss.schedule') IS NOT NULL THEN
          DELETE FROM pgboss.schedule WHERE name = 'webhooks.old-deliveries';
        END IF;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION purge_audit_log(uuid[]);
      CREATE OR REPLACE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION 'audit_log takes new rows only' USING ERRCODE = 'insufficient_privilege';
      END $$;
      DROP INDEX gateway_events_payload_idx;
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE gateway_events SET payload = '{}' WHERE payload IS NULL;
      SELECT set_config('app.system', 'off', true);
      ALTER TABLE gateway_events ALTER payload SET NOT NULL;
    `);
  }
}
