import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import type { DomainEvent } from '../../platform/events/domain-event';
import { EventBus, type EventStore } from '../../platform/events/event-bus';
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
export class OutboxWriter implements OnModuleInit, EventStore {
  /** The webhooks that subscribe to the events of a transaction, by type and tenant. */
  private readonly subscribed = new WeakMap<Transaction, Map<string, Promise<SubscribedWebhook[]>>>();

  constructor(
    private readonly events: EventBus,
    private readonly payloads: PayloadBuilder,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.registerStore(this);
  }

  /** Reads the subscribers while the transaction waits for other statements. */
  prepare(tx: Transaction, tenantId: string, types: readonly string[]): void {
    const known = this.subscribed.get(tx) ?? new Map<string, Promise<SubscribedWebhook[]>>();
    this.subscribed.set(tx, known);
    const missing = types.filter((type) => isWebhookEvent(type) && !known.has(keyOf(tenantId, type)));
    if (missing.length === 0) return;
    // The lock keeps a webhook from being deleted before its delivery is inserted. One that is being deleted is skipped.
    const subscribers = tx.query<SubscribedWebhook>(
      `SELECT id, events, active FROM webhooks
       WHERE tenant_id = $1 AND events && $2 AND (active OR disabled_reason = 'failing')
       ORDER BY id FOR KEY SHARE SKIP LOCKED`,
      [tenantId, missing],
    );
    // `store` waits for it.
    subscribers.catch(() => {});
    for (const type of missing) known.set(keyOf(tenantId, type), subscribers);
  }

  async store(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
    const relevant = events.filter(({ type }) => isWebhookEvent(type));
    const byTenant = Map.groupBy(relevant, ({ tenant_id }) => tenant_id);
    for (const [tenantId, ofTenant] of byTenant) await this.addDeliveries(tx, tenantId, ofTenant);
  }

  private async addDeliveries(tx: Transaction, tenantId: string, events: DomainEvent[]): Promise<void> {
    const byType = new Map(
      await settleAll(
        events.map(async ({ type }) => [type, await this.subscribersOf(tx, tenantId, type)] as const),
      ),
    );
    const wanted = events.filter(({ type }) => byType.get(type)?.length);
    if (wanted.length === 0) return;
    const built = await this.payloads.build(tx, tenantId, wanted);
    const deliveries = built.flatMap(({ event: { type }, payload, customer_id }) =>
      (byType.get(type) ?? []).map(({ id, active }) => ({
        webhook_id: id,
        event: type,
        payload: JSON.stringify(payload),
        customer_id,
        active,
      })),
    );
    this.insert(tx, tenantId, deliveries);
    const due = new Set(deliveries.filter(({ active }) => active).map(({ webhook_id }) => webhook_id));
    tx.afterCommit(async () => this.wake(tenantId, due));
  }

  private async subscribersOf(tx: Transaction, tenantId: string, type: string): Promise<SubscribedWebhook[]> {
    const subscribers = (await this.subscribed.get(tx)?.get(keyOf(tenantId, type))) ?? [];
    return subscribers.filter(({ events }) => events.includes(type));
  }

  private insert(tx: Transaction, tenantId: string, deliveries: NewDelivery[]): void {
    const now = this.clock.now();
    const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((row) => row[name]);
    tx.append({
      text: `INSERT INTO webhook_deliveries
         (tenant_id, webhook_id, event, payload, customer_id, status, next_attempt_at, error, inserted_at)
       SELECT $1, webhook_id, event, payload::json, customer_id, CASE WHEN active THEN 'pending' ELSE 'failed' END,
         CASE WHEN active THEN $2::timestamptz END, CASE WHEN active THEN NULL ELSE $3 END, $2
       FROM unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::boolean[])
         AS d (webhook_id, event, payload, customer_id, active)`,
      values: [
        tenantId,
        now,
        WEBHOOK_INACTIVE,
        column('webhook_id'),
        column('event'),
        column('payload'),
        column('customer_id'),
        column('active'),
      ],
    });
  }

  /** Attempts begin in the background, so that the request that made the change is answered without waiting. */
  private wake(tenantId: string, webhookIds: Set<string>): void {
    for (const id of webhookIds) this.dispatcher.wake({ webhook_id: id, tenant_id: tenantId });
  }
}

const keyOf = (tenantId: string, type: string): string => `${tenantId} ${type}`;
