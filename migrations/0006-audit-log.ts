import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * The audit log. Rows can be added but not changed: the triggers reject changes by every role, including the table
 * owner. Rows are deleted only with their tenant (the delete then comes from the trigger of the foreign key).
 */
export class AuditLog1780000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log (
        id uuid CONSTRAINT audit_log_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT audit_log_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        user_id uuid,
        action text NOT NULL,
        subject_type text NOT NULL,
        subject_id uuid NOT NULL,
        details jsonb NOT NULL DEFAULT '{}',
        address text,
        request_id text,
        inserted_at timestamptz(3) NOT NULL
      );
      CREATE INDEX audit_log_inserted_idx ON audit_log (tenant_id, inserted_at, id);
      CREATE INDEX audit_log_user_idx ON audit_log (tenant_id, user_id, inserted_at, id);
      CREATE INDEX audit_log_subject_idx ON audit_log (tenant_id, subject_id, inserted_at, id);
      ${tenantPolicy('audit_log')}

      CREATE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION 'audit_log takes new rows only' USING ERRCODE = 'insufficient_privilege';
      END $$;
      CREATE TRIGGER audit_log_rows_stay BEFORE UPDATE OR DELETE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION refuse_audit_log_change();
      CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_log; DROP FUNCTION refuse_audit_log_change()`);
  }
}
