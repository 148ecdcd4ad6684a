import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { nothingHeld } from '../tenancy/legal-holds';
import { Retention } from '../platform/jobs/retention';

/** Deletes stored domain events after RETENTION_DOMAIN_EVENTS_DAYS. */
@Injectable()
export class DomainEventRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.register({
      table: 'domain_events',
      days: this.config.retentionDays.domainEvents,
      purgeSql: `DELETE FROM domain_events WHERE id = ANY (ARRAY(
          SELECT id FROM domain_events WHERE occurred_at < $1 AND ${nothingHeld('domain_events.tenant_id')}
          ORDER BY occurred_at LIMIT $2))
        RETURNING id`,
    });
  }
}
