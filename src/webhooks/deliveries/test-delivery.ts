import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { ApiError, notFound } from '../../platform/http/errors/api-error';
import { OutboundGate } from '../../platform/database/installation/outbound-gate';
import { isSuccess } from './delivery.rules';
import { testPayload } from '../payloads/test-payload';
import { type Endpoint, WebhookSender } from './webhook-sender';
import type { DeliveryDetailsDto } from './delivery.dto';
import { WebhookTested } from '../webhook.events';
import { DeliveryList } from './delivery-list';
import { secretsSql } from '../webhook-secrets';

/** Sends a test event to a webhook, active or not. The result neither causes retries nor disables the webhook. */
@Injectable()
export class TestDelivery {
  constructor(
    private readonly database: Database,
    private readonly list: DeliveryList,
    private readonly sender: WebhookSender,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly gate: OutboundGate,
  ) {}

  /** Makes one attempt and waits for its result, 15 s at most. @throws 404, 503 while nothing may be sent */
  async send(tenantId: string, webhookId: string): Promise<DeliveryDetailsDto> {
    if (this.gate.isPaused) throw outboundPaused();
    const now = this.clock.now();
    const endpoint = await this.database.tenant(tenantId, (tx) =>
      tx.one<Endpoint>(
        `SELECT w.id, w.tenant_id, w.url, ${secretsSql('$3')} AS secrets FROM webhooks w
         WHERE w.tenant_id = $1 AND w.id = $2 AND w.deleted_at IS NULL`,
        [tenantId, webhookId, now],
      ),
    );
    if (!endpoint) throw notFound('Webhook');
    const id = randomUUID();
    const body = JSON.stringify(testPayload(webhookId, now));
    const outcome = await this.sender.deliver(endpoint, id, body);
    const { response_status, response_body, error, duration_ms } = outcome;
    await this.database.tenant(tenantId, async (tx) => {
      const webhook = await tx.one(
        'SELECT FROM webhooks WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE',
        [webhookId],
      );
      // It may have been deleted during the attempt.
      if (!webhook) throw notFound('Webhook');
      await tx.query(
        `INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event, payload, status, attempts, failures,
           response_status, response_body, error, duration_ms, inserted_at)
         VALUES ($1, $2, $3, 'webhook.test', $4, $5, 1, 0, $6, $7, $8, $9, $10)`,
        [
          id,
          tenantId,
          webhookId,
          body,
          isSuccess(outcome) ? 'delivered' : 'failed',
          response_status,
          response_body,
          error,
          duration_ms,
          now,
        ],
      );
      await tx.query(
        `INSERT INTO webhook_attempts
           (tenant_id, delivery_id, number, response_status, response_body, error, duration_ms, inserted_at)
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7)`,
        [tenantId, id, response_status, response_body, error, duration_ms, now],
      );
      await this.events.record(tx, new WebhookTested(tenantId, webhookId, now.toISOString()));
    });
    return this.list.get(tenantId, webhookId, id);
  }
}

const outboundPaused = () =>
  new ApiError(
    503,
    'outbound_paused',
    'This installation is paused and does not send anything at the moment.',
  );
