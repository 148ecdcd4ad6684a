import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runOutsideOfRequest } from '../../platform/logging/request-context';
import { OutboundGate } from '../../platform/database/installation/outbound-gate';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { DisableWebhook, WEBHOOK_INACTIVE } from '../disable-webhook';
import type { DisableReason } from '../webhook.events';
import { DeliveryConnectionLimiter } from './delivery-connection-limiter';
import { DeliveryDispatcher } from './delivery-dispatcher';

const FAN_OUT_INTERVAL_MS = 1000;
/** Tenants whose events an instance fans out at the same time. */
const MAX_TENANTS = 2;
/** Events read for one batch, and the deliveries after which it takes no further event. */
const MAX_EVENTS = 50;
const MAX_DELIVERIES = 500;
/** A lock that another transaction holds for longer must not hold up other tenants. */
const LOCK_TIMEOUT_MS = 500;

/** SQL for what the limit is about: a replay makes no further rows, and is sent slowly. */
const COUNTED = `status = 'pending' AND replayed_at IS NULL`;
/** Pending deliveries of a webhook, without those of a replay or of a pause. One more disables it. */
const MAX_PENDING = { free: 10_000, others: 50_000 };
/** Webhooks of which an instance remembers how many deliveries it may write before it counts again. */
const MAX_REMEMBERED = 10_000;
/**
 * The deliveries that are written before a webhook's pending ones are counted again: counting 50,000 takes about as long as
 * writing hundreds. So each instance may exceed the limit by 2 %.
 */
const uncountedAfter = (pending: number): number => Math.max(100, Math.floor(pending / 50));

interface StoredEvent {
  /** A bigint as text. */
  id: string;
  webhook_ids: string[];
  inactive_webhook_ids: string[];
  error: string | null;
  /** Whether it waited for the end of a pause, which the receiver is not to blame for. */
  is_of_pause: boolean;
}

interface Subscriber {
  id: string;
  active: boolean;
  disabled_reason: DisableReason | null;
  /** Null if there is no need to count them. */
  pending_count: number | null;
}

interface NewDelivery {
  event_id: string;
  webhook_id: string;
  is_due: boolean;
}

interface Batch {
  /** The webhooks that have new deliveries to send. */
  due: Set<string>;
  hasMore: boolean;
}

/**
 * Makes the deliveries of the events that changes have stored (OutboxWriter): in batches, and in turn between the tenants, so
 * that one with a hundred thousand of them does not delay the others. An event and its deliveries are one transaction, so that
 * none is lost or made twice. While the installation is paused or the company is suspended, nothing could be sent, so the events
 * wait.
 */
@Injectable()
export class EventFanOut implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly task: RecurringTask;
  /** Tenants with events, in the order of their turns. */
  private readonly waiting = new Set<string>();
  /** Tenants of which a batch is being written. */
  private readonly active = new Set<string>();
  /** The loops that take turns, at most MAX_TENANTS. */
  private loopCount = 0;
  /** How many deliveries a webhook may get before its pending ones are counted again. */
  private readonly uncounted = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  private readonly loops = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly connections: DeliveryConnectionLimiter,
    private readonly subscriptions: SubscriptionsService,
    private readonly disabling: DisableWebhook,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly gate: OutboundGate,
    private readonly clock: Clock,
    intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.task = new RecurringTask('Webhooks', intervals.of(FAN_OUT_INTERVAL_MS), () => this.wakeAll());
  }

  onApplicationBootstrap(): void {
    if (this.config.isWorker) this.task.start();
  }

  /** Waits for the batches that are being written. Other events are left to another instance or the next start. */
  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
    await Promise.all(this.loops);
  }

  /** Begins to fan out the events of a tenant in the background, unless this instance does so already. */
  wake(tenantId: string): void {
    if (!this.config.isWorker || this.task.isStopped) return;
    this.waiting.add(tenantId);
    if (this.loopCount >= MAX_TENANTS || this.active.has(tenantId)) return;
    this.loopCount++;
    // Disabling a webhook must not be attributed to the user whose request caused the event.
    const loop = runOutsideOfRequest(() => this.takeTurns()).finally(() => this.loops.delete(loop));
    this.loops.add(loop);
  }

  /** Wakes all tenants with events: those of other instances, and of batches that failed or waited. */
  private async wakeAll(): Promise<void> {
    if (this.gate.isPaused) return;
    // One index look-up a tenant, however many events are stored.
    const [tenants] = await this.database.readSystem<[{ tenant_id: string }]>([
      {
        text: `WITH RECURSIVE stored AS (
            (SELECT tenant_id FROM webhook_events ORDER BY tenant_id LIMIT 1)
            UNION ALL
            SELECT (SELECT e.tenant_id FROM webhook_events e WHERE e.tenant_id > s.tenant_id ORDER BY e.tenant_id LIMIT 1)
            FROM stored s WHERE s.tenant_id IS NOT NULL)
          SELECT t.id AS tenant_id FROM stored s JOIN tenants t ON t.id = s.tenant_id AND t.suspended_at IS NULL`,
      },
    ]);
    for (const { tenant_id } of tenants) this.wake(tenant_id);
  }

  /** One batch a turn: a tenant with more events goes to the end. */
  private async takeTurns(): Promise<void> {
    let tenantId: string | undefined;
    while ((tenantId = this.nextTenant()) !== undefined) {
      this.waiting.delete(tenantId);
      this.active.add(tenantId);
      const hasMore = await this.fanOut(tenantId);
      this.active.delete(tenantId);
      if (hasMore) this.waiting.add(tenantId);
    }
    this.loopCount--;
  }

  private nextTenant(): string | undefined {
    if (this.task.isStopped || this.gate.isPaused) return undefined;
    for (const id of this.waiting) if (!this.active.has(id)) return id;
    return undefined;
  }

  /** Writes one batch. Never throws. @returns whether there are more events now */
  private async fanOut(tenantId: string): Promise<boolean> {
    try {
      const { due, hasMore } = await this.connections.run(() =>
        // As work of the service: in the line of a company that floods its own, a batch would keep the loop from others.
        this.database.system((tx) => {
          tx.narrow(tenantId);
          return this.fanOutIn(tx, tenantId);
        }),
      );
      for (const webhook_id of due) this.dispatcher.wake({ webhook_id, tenant_id: tenantId });
      return hasMore;
    } catch (error) {
      // The next round tries again.
      this.logger.error(error, `The events of tenant ${tenantId} could not be fanned out`);
      return false;
    }
  }

  private async fanOutIn(tx: Transaction, tenantId: string): Promise<Batch> {
    tx.send({ text: `SELECT set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)` });
    // Another instance may have the turn of the tenant. Its events are taken in their order, and counted one after another.
    // Waiting would hold a connection that other tenants need; the next round finds what the other instance leaves.
    const turn = await tx.one<{ is_ours: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('webhook events ' || $1, 0)) AS is_ours`,
      [tenantId],
    );
    if (!turn?.is_ours) return NOTHING;
    const stored = await tx.query<StoredEvent>(
      `SELECT id, webhook_ids, inactive_webhook_ids, error, inserted_at <= COALESCE($2, '-infinity'::timestamptz) AS is_of_pause
       FROM webhook_events WHERE tenant_id = $1
         AND NOT EXISTS (SELECT FROM tenants WHERE id = $1 AND suspended_at IS NOT NULL)
       ORDER BY id LIMIT ${MAX_EVENTS} FOR UPDATE OF webhook_events SKIP LOCKED`,
      [tenantId, this.gate.resumedAt],
    );
    const taken = firstOf(stored);
    if (taken.length === 0) return NOTHING;
    const subscribers = await subscribersOf(tx, tenantId, taken, this.toCount(taken), this.gate.resumedAt);
    const deliveries = await this.decide(tx, tenantId, taken, subscribers);
    for (const { id, pending_count } of subscribers.values()) {
      if (pending_count !== null) this.uncounted.set(id, uncountedAfter(pending_count));
    }
    await insertDeliveries(tx, taken, deliveries);
    const due = new Set(deliveries.filter(({ is_due }) => is_due).map(({ webhook_id }) => webhook_id));
    return { due, hasMore: taken.length < stored.length || stored.length === MAX_EVENTS };
  }

  /** @returns the webhooks whose pending deliveries are to be counted before they get those of the events */
  private toCount(events: readonly StoredEvent[]): string[] {
    const added = new Map<string, number>();
    for (const id of events.flatMap(({ webhook_ids }) => webhook_ids))
      added.set(id, (added.get(id) ?? 0) + 1);
    const due: string[] = [];
    for (const [id, count] of added) {
      const left = (this.uncounted.get(id) ?? 0) - count;
      if (left < 0) due.push(id);
      else this.uncounted.set(id, left);
    }
    return due;
  }

  /** @returns the deliveries of the events, without those of webhooks that have too many: they are disabled */
  private async decide(
    tx: Transaction,
    tenantId: string,
    events: readonly StoredEvent[],
    subscribers: Map<string, Subscriber>,
  ): Promise<NewDelivery[]> {
    const deliveries: NewDelivery[] = [];
    let max: number = MAX_PENDING.free;
    let isMaxKnown = false;
    for (const { id: event_id, webhook_ids, inactive_webhook_ids, error, is_of_pause } of events) {
      for (const webhook_id of webhook_ids) {
        const subscriber = subscribers.get(webhook_id);
        if (!subscriber || subscriber.disabled_reason === 'backlog') continue;
        if (error !== null || is_of_pause) {
          deliveries.push({ event_id, webhook_id, is_due: error === null });
          continue;
        }
        const { pending_count } = subscriber;
        if (pending_count !== null && pending_count >= max && !isMaxKnown) {
          const plan = await this.subscriptions.planInForce(tx, tenantId);
          max = plan.name === 'free' ? MAX_PENDING.free : MAX_PENDING.others;
          isMaxKnown = true;
        }
        const isFull = pending_count !== null && pending_count >= max;
        if (isFull && subscriber.active) {
          subscriber.disabled_reason = 'backlog';
          await this.disabling.disable(tx, tenantId, webhook_id, 'backlog', this.clock.now());
          continue;
        }
        // One that became inactive after the event is not disabled again. Its delivery fails now instead of when it is due.
        if (pending_count !== null && !isFull) subscriber.pending_count = pending_count + 1;
        deliveries.push({ event_id, webhook_id, is_due: !isFull });
      }
      for (const webhook_id of inactive_webhook_ids) {
        if (subscribers.has(webhook_id)) deliveries.push({ event_id, webhook_id, is_due: false });
      }
    }
    return deliveries;
  }
}

const NOTHING: Batch = { due: new Set(), hasMore: false };

/** The first events, up to about MAX_DELIVERIES and at least one. */
function firstOf(stored: readonly StoredEvent[]): readonly StoredEvent[] {
  let count = 0;
  const end = stored.findIndex(({ webhook_ids, inactive_webhook_ids }) => {
    const isFull = count >= MAX_DELIVERIES;
    count += webhook_ids.length + inactive_webhook_ids.length;
    return isFull;
  });
  return end === -1 ? stored : stored.slice(0, end);
}

/**
 * The webhooks of the events by id. The lock keeps them from being deleted; those that are being deleted are left out. Pending
 * deliveries are counted in an index, and only as far as it matters.
 */
async function subscribersOf(
  tx: Transaction,
  tenantId: string,
  events: readonly StoredEvent[],
  toCount: readonly string[],
  resumedAt: Date | null,
): Promise<Map<string, Subscriber>> {
  const ids = new Set(
    events.flatMap(({ webhook_ids, inactive_webhook_ids }) => [...webhook_ids, ...inactive_webhook_ids]),
  );
  const found = await tx.query<Subscriber>(
    `SELECT w.id, w.active, w.disabled_reason,
       CASE WHEN w.id = ANY ($4) THEN (SELECT count(*)::int FROM (
          SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND ${COUNTED}
            AND d.inserted_at > COALESCE($3, '-infinity'::timestamptz) LIMIT ${MAX_PENDING.others}) AS pending)
       END AS pending_count
     FROM webhooks w WHERE w.tenant_id = $1 AND w.id = ANY ($2) AND w.deleted_at IS NULL
     ORDER BY w.id FOR KEY SHARE OF w SKIP LOCKED`,
    [tenantId, [...ids], resumedAt, toCount],
  );
  return new Map(found.map((subscriber) => [subscriber.id, subscriber]));
}

/** Replaces the events by their deliveries, which are due in the order of the events. */
async function insertDeliveries(
  tx: Transaction,
  events: readonly StoredEvent[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((row) => row[name]);
  await tx.query(
    `WITH taken AS (DELETE FROM webhook_events WHERE id = ANY ($1::bigint[])
       RETURNING id, tenant_id, event, payload, customer_id, error, inserted_at)
     INSERT INTO webhook_deliveries
       (tenant_id, webhook_id, event, payload, customer_id, status, next_attempt_at, error, inserted_at)
     SELECT t.tenant_id, d.webhook_id, t.event, t.payload, t.customer_id,
       CASE WHEN d.is_due THEN 'pending' ELSE 'failed' END, CASE WHEN d.is_due THEN t.inserted_at END,
       CASE WHEN d.is_due THEN NULL ELSE COALESCE(t.error, $2) END, t.inserted_at
     FROM unnest($3::bigint[], $4::uuid[], $5::boolean[]) AS d (event_id, webhook_id, is_due)
     JOIN taken t ON t.id = d.event_id`,
    [
      events.map(({ id }) => id),
      WEBHOOK_INACTIVE,
      column('event_id'),
      column('webhook_id'),
      column('is_due'),
    ],
  );
}
