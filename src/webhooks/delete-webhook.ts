import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { EventBus } from '../platform/events/event-bus';
import { lockWebhook } from './lock-webhook';
import { WebhookDeleted, WebhookUpdated } from './webhook.events';

/** Deliveries deleted in one transaction: a short one, since it locks all of them. */
const BATCH_SIZE = 5000;

/** Deletes a webhook with its deliveries. */
@Injectable()
export class DeleteWebhook {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Deactivates the webhook, deletes its deliveries in batches and the webhook last. The webhook's row is therefore
   * locked only briefly, and changes that would add a delivery do not wait for it.
   * @throws 404
   */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.deactivate(tenantId, id);
    let deleted: number;
    do {
      deleted = await this.deleteDeliveries(tenantId, id);
    } while (deleted > 0);
    await this.database.tenant(tenantId, async (tx) => {
      await lockWebhook(tx, tenantId, id);
      await tx.query('DELETE FROM webhooks WHERE id = $1', [id]);
      await this.events.record(tx, new WebhookDeleted(tenantId, id, this.clock.now().toISOString()));
    });
  }

  private deactivate(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const { active } = await lockWebhook(tx, tenantId, id);
      const now = this.clock.now();
      await tx.query(
        `UPDATE webhooks SET active = false, disabled_at = NULL, disabled_reason = NULL, updated_at = $2
         WHERE id = $1`,
        [id, now],
      );
      if (active)
        await this.events.record(tx, new WebhookUpdated(tenantId, id, now.toISOString(), ['active']));
    });
  }

  private async deleteDeliveries(tenantId: string, webhookId: string): Promise<number> {
    const deleted = await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `DELETE FROM webhook_deliveries WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 LIMIT ${BATCH_SIZE}
           FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [tenantId, webhookId],
      ),
    );
    return deleted.length;
  }
}
