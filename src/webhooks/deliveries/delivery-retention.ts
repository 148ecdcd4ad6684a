import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { customerNotHeld } from '../../tenancy/legal-holds';
import { Retention } from '../../platform/jobs/retention';

/**
 * Deletes deliveries, with their attempts, after RETENTION_DELIVERIES_DAYS. Pending ones are kept until they are
 * finished, so that a replay of old deliveries sends all of them.
 */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.register({
      table: 'webhook_deliveries',
      days: this.config.retentionDays.deliveries,
      purgeSql: `DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
          SELECT id FROM webhook_deliveries WHERE inserted_at < $1 AND status <> 'pending'
            AND ${customerNotHeld('webhook_deliveries.tenant_id', 'webhook_deliveries.customer_id')}
          ORDER BY inserted_at LIMIT $2 FOR UPDATE SKIP LOCKED))
        RETURNING id`,
    });
  }
}
