import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { lockActiveWebhook } from '../lock-webhook';
import { CALLBACK_DUE, TEST_EVENT } from '../payloads/webhook-event-types';
import { WebhookReplayed } from '../webhook.events';
import type { DeliveryDetailsDto } from './delivery.dto';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { DeliveryList } from './delivery-list';

/** Sends one delivery again: at once, and with all its retries. It keeps its webhook-id. */
@Injectable()
export class RedeliverDelivery {
  constructor(
    private readonly database: Database,
    private readonly list: DeliveryList,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * An attempt in flight is not interrupted; it counts as the first of the new ones.
   * @throws 404; 422 `webhook_inactive`, `webhook_test`, `webhook_invitation`
   */
  async redeliver(tenantId: string, webhookId: string, id: string): Promise<DeliveryDetailsDto> {
    await this.database.tenant(tenantId, async (tx) => {
      await lockActiveWebhook(tx, tenantId, webhookId);
      const now = this.clock.now();
      const delivery = await tx.one<{ event: string; status: string }>(
        'SELECT event, status FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [webhookId, id],
      );
      if (!delivery) throw notFound('Delivery');
      if (delivery.event === TEST_EVENT) {
        throw unprocessable('webhook_test', 'A test is not sent again. Send another one.');
      }
      if (delivery.event === CALLBACK_DUE && delivery.status !== 'pending') {
        throw unprocessable(
          'webhook_invitation',
          'The invitation is not sent again: its link is no longer stored.',
        );
      }
      await tx.query(
        `UPDATE webhook_deliveries SET status = 'pending', failures = 0, next_attempt_at = $2 WHERE id = $1`,
        [id, now],
      );
      await this.events.record(tx, new WebhookReplayed(tenantId, webhookId, now.toISOString(), 1));
    });
    this.dispatcher.wake({ webhook_id: webhookId, tenant_id: tenantId });
    return this.list.get(tenantId, webhookId, id);
  }
}
