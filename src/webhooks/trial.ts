import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { EventBus } from '../platform/events/event-bus';
import { notFound } from '../platform/http/api-error';
import { OutboundHttp } from '../platform/outbound/outbound-http';
import { isTaken } from './delivery.rules';
import { type Endpoint, logAttempt } from './delivery-queue';
import { testPayload } from './payloads/test-payload';
import type { DeliveryDetailsDto } from './webhook.dto';
import { WebhookTested } from './webhook.events';
import { WebhookList } from './webhook-list';
import { WebhookSecrets } from './webhook-secrets';

/** Sends a webhook something to try it out with, whether it is active or not. Nothing follows from what comes of it. */
@Injectable()
export class Trial {
  constructor(
    private readonly database: Database,
    private readonly list: WebhookList,
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundHttp,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** One try at once; it may take as long as the receiver is given. @throws 404 */
  async send(tenantId: string, webhookId: string): Promise<DeliveryDetailsDto> {
    const endpoint = await this.database.tenant(tenantId, (tx) =>
      tx.one<Endpoint>(
        `SELECT id, tenant_id, url, secret, previous_secret, previous_secret_expires_at FROM webhooks
         WHERE tenant_id = $1 AND id = $2`,
        [tenantId, webhookId],
      ),
    );
    if (!endpoint) throw notFound('Webhook');
    const id = randomUUID();
    const now = this.clock.now();
    const body = JSON.stringify(testPayload(webhookId, now));
    const headers = this.secrets.sign(endpoint, id, body, now);
    const outcome = await this.outbound.post(endpoint.url, body, headers);
    const { response_status, response_body, error, duration_ms } = outcome;
    await this.database.tenant(tenantId, async (tx) => {
      await tx.query(
        `INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event, payload, status, attempts, failures,
           response_status, response_body, error, duration_ms, inserted_at)
         VALUES ($1, $2, $3, 'webhook.test', $4, $5, 1, 0, $6, $7, $8, $9, $10)`,
        [
          id,
          tenantId,
          webhookId,
          body,
          isTaken(outcome) ? 'delivered' : 'failed',
          response_status,
          response_body,
          error,
          duration_ms,
          now,
        ],
      );
      await logAttempt(tx, tenantId, id, 1, outcome, now);
      await this.events.record(tx, new WebhookTested(tenantId, webhookId, now.toISOString()));
    });
    return this.list.delivery(tenantId, webhookId, id);
  }
}
