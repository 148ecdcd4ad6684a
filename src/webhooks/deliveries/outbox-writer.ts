import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import type { DomainEvent } from '../../platform/events/domain-event';
import { EventBus } from '../../platform/events/event-bus';
import { WEBHOOK_INACTIVE } from './delivery-queue';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { PayloadBuilder } from '../payloads/payload-builder';
import { isWebhookEvent } from '../payloads/webhook-event-types';

interface SubscribedWebhook {
  id: string;
  events: string[];
  active: boolean;
}

interface NewDelivery {
  webhook_id: string;
  event: string;
  payload: string;
  customer_id: string | null;
  active: boolean;
}

/**
 * Writes a delivery for each webhook that subscribes to an event, in the transaction of the change (a transactional
 * outbox): the delivery exists if and only if the change was committed. Webhooks that the service has disabled as
 * failing get failed deliveries, which can be replayed.
 */
@Injectable()
export class OutboxWriter implements OnModuleInit {
  constructor(
    private readonly events: EventBus,
    private readonly payloads: PayloadBuilder,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.registerStore((tx, events) => this.store(tx, events));
  }

  private async store(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
    const relevant = events.filter(({ type }) => isWebhookEvent(type));
    const byTenant = Map.groupBy(relevant, ({ tenant_id }) => tenant_id);
    for (const [tenantId, ofTenant] of byTenant) await this.addDeliveries(tx, tenantId, ofTenant);
  }

  private async addDeliveries(tx: Transaction, tenantId: string, events: DomainEvent[]): Promise<void> {
    // The lock keeps a webhook from being deleted before its delivery is inserted. One that is being deleted is skipped.
    const subscribed = await tx.query<SubscribedWebhook>(
      `SELECT id, events, active FROM webhooks
       WHERE tenant_id = $1 AND events && $2 AND (active OR disabled_reason = 'failing')
       ORDER BY id FOR KEY SHARE SKIP LOCKED`,
      [tenantId, [...new Set(events.map(({ type }) => type))]],
    );
    if (subscribed.length === 0) return;
    const wanted = events.filter(({ type }) => subscribed.some((webhook) => webhook.events.includes(type)));
    const built = await this.payloads.build(tx, tenantId, wanted);
    const deliveries = built.flatMap(({ event: { type }, payload, customer_id }) =>
      subscribed
        .filter((webhook) => webhook.events.includes(type))
        .map(({ id, active }) => ({
          webhook_id: id,
          event: type,
          payload: JSON.stringify(payload),
          customer_id,
          active,
        })),
    );
    await this.insert(tx, tenantId, deliveries);
    const due = new Set(deliveries.filter(({ active }) => active).map(({ webhook_id }) => webhook_id));
    tx.afterCommit(async () => this.wake(tenantId, due));
  }

  private async insert(tx: Transaction, tenantId: string, deliveries: NewDelivery[]): Promise<void> {
    const now = this.clock.now();
    const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((row) => row[name]);
    await tx.query(
      `INSERT INTO webhook_deliveries
         (tenant_id, webhook_id, event, payload, customer_id, status, next_attempt_at, error, inserted_at)
       SELECT $1, webhook_id, event, payload::json, customer_id, CASE WHEN active THEN 'pending' ELSE 'failed' END,
         CASE WHEN active THEN $2::timestamptz END, CASE WHEN active THEN NULL ELSE $3 END, $2
       FROM unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::boolean[])
         AS d (webhook_id, event, payload, customer_id, active)`,
      [
        tenantId,
        now,
        WEBHOOK_INACTIVE,
        column('webhook_id'),
        column('event'),
        column('payload'),
        column('customer_id'),
        column('active'),
      ],
    );
  }

  /** Attempts begin in the background, so that the request that made the change is answered without waiting. */
  private wake(tenantId: string, webhookIds: Set<string>): void {
    for (const id of webhookIds) this.dispatcher.wake({ webhook_id: id, tenant_id: tenantId });
  }
}
