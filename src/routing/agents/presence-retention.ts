import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { notHeld } from '../../tenancy/legal-holds';
import { Retention } from '../../platform/jobs/retention';

/** Deletes presence periods that ended more than RETENTION_PRESENCE_DAYS ago. */
@Injectable()
export class PresenceRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.register({
      table: 'presence_periods',
      days: this.config.retentionDays.presence,
      // Tenant by tenant, because the index begins with the tenant.
      purgeSql: `DELETE FROM presence_periods WHERE id = ANY (ARRAY(
          SELECT p.id FROM tenants t CROSS JOIN LATERAL (
            SELECT id FROM presence_periods WHERE tenant_id = t.id AND ended_at < $1 ORDER BY ended_at LIMIT $2) p
          WHERE ${notHeld('t.id')} LIMIT $2))
        RETURNING id`,
    });
  }
}
