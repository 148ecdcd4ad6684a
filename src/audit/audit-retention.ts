import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { nothingHeld } from '../tenancy/legal-holds';
import { Retention } from '../platform/jobs/retention';

/**
 * Deletes rows of the audit log after RETENTION_AUDIT_DAYS, by default never. The service's role cannot delete them
 * itself; purge_audit_log deletes only rows older than 30 days.
 */
@Injectable()
export class AuditRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.register({
      table: 'audit_log',
      days: this.config.retentionDays.audit,
      // Tenant by tenant, because the index begins with the tenant.
      purgeSql: `SELECT purge_audit_log(ARRAY(
          SELECT a.id FROM tenants t CROSS JOIN LATERAL (
            SELECT id FROM audit_log WHERE tenant_id = t.id AND inserted_at < $1 ORDER BY inserted_at LIMIT $2) a
          WHERE ${nothingHeld('t.id')} LIMIT $2))`,
    });
  }
}
