import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, notFound, unprocessable } from '../platform/http/api-error';
import { momentOf } from '../platform/http/moment';
import { Dispatcher } from './dispatcher';
import type { DeliveryDetailsDto, ReplayDto, ReplayedDto } from './webhook.dto';
import { WebhookReplayed } from './webhook.events';
import { WebhookList } from './webhook-list';

/** From now on with all its tries; what is under way is left to it. */
const AGAIN = `UPDATE webhook_deliveries SET status = 'pending', failures = 0, next_attempt_at = $2, claimed_until = NULL
  WHERE webhook_id = $1 AND (claimed_until IS NULL OR claimed_until <= $2)`;

/** Makes deliveries again. Receivers know them by their webhook-id, which stays the same. */
@Injectable()
export class Redelivery {
  constructor(
    private readonly database: Database,
    private readonly list: WebhookList,
    private readonly dispatcher: Dispatcher,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 404; 422 `webhook_inactive` */
  async redeliver(tenantId: string, webhookId: string, id: string): Promise<DeliveryDetailsDto> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.ensureActive(tx, tenantId, webhookId);
      const delivery = await tx.one('SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2', [
        webhookId,
        id,
      ]);
      if (!delivery) throw notFound('Delivery');
      await this.again(tx, tenantId, webhookId, 'AND id = $3', [id]);
    });
    return this.list.delivery(tenantId, webhookId, id);
  }

  /** @throws 404; 422 `webhook_inactive`, and for a range that ends before it begins */
  async replay(tenantId: string, webhookId: string, { from, to, status }: ReplayDto): Promise<ReplayedDto> {
    const [first, last] = [momentOf(from), to ? momentOf(to) : this.clock.now()];
    if (last < first) throw invalidField('to', 'must not be before from');
    const count = await this.database.tenant(tenantId, async (tx) => {
      await this.ensureActive(tx, tenantId, webhookId);
      const range = `AND tenant_id = $3 AND inserted_at BETWEEN $4 AND $5 AND event <> 'webhook.test'
        AND status = ANY ($6)`;
      const statuses = status ? [status] : ['failed', 'delivered'];
      return this.again(tx, tenantId, webhookId, range, [tenantId, first, last, statuses]);
    });
    return { count };
  }

  private async again(
    tx: Transaction,
    tenantId: string,
    webhookId: string,
    condition: string,
    values: unknown[],
  ): Promise<number> {
    const now = this.clock.now();
    const queued = await tx.query(`${AGAIN} ${condition} RETURNING id`, [webhookId, now, ...values]);
    await this.events.record(tx, new WebhookReplayed(tenantId, webhookId, now.toISOString(), queued.length));
    tx.afterCommit(() => this.dispatcher.serve(webhookId));
    return queued.length;
  }

  /** Locks it, so that it is not switched off before the deliveries are queued. */
  private async ensureActive(tx: Transaction, tenantId: string, webhookId: string): Promise<void> {
    const webhook = await tx.one<{ active: boolean }>(
      'SELECT active FROM webhooks WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [tenantId, webhookId],
    );
    if (!webhook) throw notFound('Webhook');
    if (!webhook.active) {
      throw unprocessable('webhook_inactive', 'Nothing is sent to this webhook. Activate it first.');
    }
  }
}
