import { Injectable, type OnModuleInit } from '@nestjs/common';
import { notHeld } from '../../tenancy/legal-holds';
import { Retention } from '../../platform/jobs/retention';

const KEPT_DAYS = 30;

/** Deletes alerts that ended more than 30 days ago. */
@Injectable()
export class AlertRetention implements OnModuleInit {
  constructor(private readonly retention: Retention) {}

  onModuleInit(): void {
    this.retention.register({
      table: 'queue_alerts',
      days: KEPT_DAYS,
      // Tenant by tenant, because the index begins with the tenant.
      purgeSql: `DELETE FROM queue_alerts WHERE id = ANY (ARRAY(
          SELECT a.id FROM tenants t CROSS JOIN LATERAL (
            SELECT id FROM queue_alerts WHERE tenant_id = t.id AND ended_at < $1 ORDER BY ended_at LIMIT $2) a
          WHERE ${notHeld('t.id')} LIMIT $2))
        RETURNING id`,
    });
  }
}
