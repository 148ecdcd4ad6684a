import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import type { DomainEvent } from '../../platform/events/domain-event';
import { EventBus, type EventStore } from '../../platform/events/event-bus';
import { EventFanOut } from './event-fan-out';
import { PayloadBuilder } from '../payloads/payload-builder';
import { isWebhookEvent } from '../payloads/webhook-event-types';

interface SubscribedWebhook {
  id: string;
  events: string[];
  active: boolean;
}

interface NewEvent {
  event: string;
  payload: string;
  customer_id: string | null;
}

/**
 * Stores the events that webhooks subscribe to, in the transaction of the change (a transactional outbox): one row for each
 * event, with its payload and its subscribers, however many they are. EventFanOut makes their deliveries, which therefore exist
 * if and only if the change was committed. Webhooks that the service has disabled as failing get failed deliveries, which can
 * be replayed.
 */
@Injectable()
export class OutboxWriter implements OnModuleInit, EventStore {
  /** The webhooks that subscribe to the events of a transaction, by type and tenant. */
  private readonly subscribed = new WeakMap<Transaction, Map<string, Promise<SubscribedWebhook[]>>>();

  constructor(
    private readonly events: EventBus,
    private readonly payloads: PayloadBuilder,
    private readonly fanOut: EventFanOut,
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
    const subscribers = tx.query<SubscribedWebhook>(
      `SELECT id, events, active FROM webhooks
       WHERE tenant_id = $1 AND events && $2 AND (active OR disabled_reason = 'failing') ORDER BY id`,
      [tenantId, missing],
    );
    // `store` waits for it.
    subscribers.catch(() => {});
    for (const type of missing) known.set(keyOf(tenantId, type), subscribers);
  }

  async store(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
    const relevant = events.filter(({ type }) => isWebhookEvent(type));
    const byTenant = Map.groupBy(relevant, ({ tenant_id }) => tenant_id);
    for (const [tenantId, ofTenant] of byTenant) await this.storeOf(tx, tenantId, ofTenant);
  }

  private async storeOf(tx: Transaction, tenantId: string, events: DomainEvent[]): Promise<void> {
    const byType = new Map(
      await settleAll(
        events.map(async ({ type }) => [type, await this.subscribersOf(tx, tenantId, type)] as const),
      ),
    );
    const wanted = events.filter(({ type }) => byType.get(type)?.length);
    if (wanted.length === 0) return;
    const built = await this.payloads.build(tx, tenantId, wanted);
    const rows = built.map(({ event: { type }, payload, customer_id }) => ({
      event: type,
      payload: JSON.stringify(payload),
      customer_id,
    }));
    this.insert(tx, tenantId, rows, byType);
    tx.afterCommit(async () => this.fanOut.wake(tenantId));
  }

  private async subscribersOf(tx: Transaction, tenantId: string, type: string): Promise<SubscribedWebhook[]> {
    const subscribers = (await this.subscribed.get(tx)?.get(keyOf(tenantId, type))) ?? [];
    return subscribers.filter(({ events }) => events.includes(type));
  }

  /** The subscribers are sent once for each type: there may be hundreds of events with fifty of them. */
  private insert(
    tx: Transaction,
    tenantId: string,
    rows: readonly NewEvent[],
    byType: ReadonlyMap<string, readonly SubscribedWebhook[]>,
  ): void {
    const types = [...byType.keys()];
    const subscribers = (isActive: boolean) =>
      types.map((type) => {
        const matching = (byType.get(type) ?? []).filter(({ active }) => active === isActive);
        return `{${matching.map(({ id }) => id).join(',')}}`;
      });
    const column = <Name extends keyof NewEvent>(name: Name) => rows.map((row) => row[name]);
    tx.send({
      text: `INSERT INTO webhook_events
         (tenant_id, event, payload, customer_id, webhook_ids, inactive_webhook_ids, inserted_at)
       SELECT $1, ($2::text[])[type], payload::json, customer_id, ($3::text[])[type]::uuid[], ($4::text[])[type]::uuid[], $5
       FROM unnest($6::integer[], $7::text[], $8::uuid[]) AS e (type, payload, customer_id)`,
      values: [
        tenantId,
        types,
        subscribers(true),
        subscribers(false),
        this.clock.now(),
        rows.map(({ event }) => types.indexOf(event) + 1),
        column('payload'),
        column('customer_id'),
      ],
    });
  }
}

const keyOf = (tenantId: string, type: string): string => `${tenantId} ${type}`;
