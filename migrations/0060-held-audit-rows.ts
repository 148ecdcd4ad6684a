import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantScope } from './tenant-policy';

/**
 * The purge of the audit log keeps all rows of a tenant that has a legal hold, or that has one on a customer: its rows do
 * not tell by an index which customer they are about.
 */
export class HeldAuditRows1780000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      purgeFunction('AND NOT EXISTS (SELECT FROM legal_holds h WHERE h.tenant_id = audit_log.tenant_id)'),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(purgeFunction(''));
  }
}

/** It checks the scope itself, because the policies do not apply to an owner who bypasses row-level security. */
const purgeFunction = (condition: string): string => `
  CREATE OR REPLACE FUNCTION purge_audit_log(ids uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
  BEGIN
    PERFORM set_config('app.audit_purge', 'on', true);
    RETURN QUERY DELETE FROM audit_log
      WHERE id = ANY (ids) AND inserted_at < now() - interval '30 days' AND ${tenantScope('tenant_id')}
        ${condition} RETURNING id;
    PERFORM set_config('app.audit_purge', '', true);
  END $$;
`;
