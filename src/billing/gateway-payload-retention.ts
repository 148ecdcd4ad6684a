import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/config';
import { notHeld } from '../tenancy/legal-holds';
import { Retention } from '../platform/jobs/retention';

/**
 * Removes the payloads of payment notifications after RETENTION_GATEWAY_PAYLOADS_DAYS. The rest of a notification stays:
 * its id, since each takes effect once, and what was read from it, since subscriptions are computed from all of them.
 */
@Injectable()
export class GatewayPayloadRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.retention.register({
      table: 'gateway_events',
      days: this.config.retentionDays.gatewayPayloads,
      purgeSql: `UPDATE gateway_events e SET payload = NULL FROM (
          SELECT gateway, event_id FROM gateway_events WHERE payload IS NOT NULL AND received_at < $1
            AND ${notHeld('gateway_events.tenant_id')}
          ORDER BY received_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) old
        WHERE e.gateway = old.gateway AND e.event_id = old.event_id
        RETURNING e.event_id`,
    });
  }
}
