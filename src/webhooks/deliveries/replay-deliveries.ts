import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField } from '../../platform/http/errors/api-error';
import { parseTimestamp } from '../../platform/http/input/timestamp';
import { lockActiveWebhook } from '../lock-webhook';
import { TEST_EVENT } from '../payloads/webhook-event-types';
import { WebhookReplayed } from '../webhook.events';
import type { ReplayDto, ReplayResultDto } from './delivery.dto';
import { DeliveryDispatcher } from './delivery-dispatcher';

/** Deliveries queued in one transaction. */
const BATCH_SIZE = 2000;
/** Deliveries of a replay that are due at once. The others follow at an interval, so that new events are not delayed. */
const BURST_SIZE = 100;
const INTERVAL_MS = 50;
/** Sorts before every other id. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** SQL for finished deliveries that may be replayed. `statuses` is SQL for an array. */
const replayable = (statuses: string) => `status = ANY (${statuses}) AND event <> '${TEST_EVENT}'`;

/** Where a batch ended. */
interface Cursor {
  id: string;
  inserted_at: Date;
}

interface Replay {
  webhookId: string;
  first: Date;
  last: Date;
  statuses: string[];
  startedAt: Date;
}

/** Sends the deliveries of a time range again, with all their retries. Each keeps its webhook-id. */
@Injectable()
export class ReplayDeliveries {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 404; 422 `webhook_inactive`, and for a range that ends before it begins */
  async replay(
    tenantId: string,
    webhookId: string,
    { from, to, status }: ReplayDto,
  ): Promise<ReplayResultDto> {
    const [first, last] = [parseTimestamp(from), to ? parseTimestamp(to) : this.clock.now()];
    if (last < first) throw invalidField('to', 'must not be before from');
    const statuses = status ? [status] : ['failed', 'delivered'];
    const replay = { webhookId, first, last, statuses, startedAt: this.clock.now() };
    await this.recordStart(tenantId, replay);
    const count = await this.queueAll(tenantId, replay);
    this.dispatcher.wake({ webhook_id: webhookId, tenant_id: tenantId });
    return { count };
  }

  private async recordStart(tenantId: string, replay: Replay): Promise<void> {
    const { webhookId, first, last, statuses, startedAt } = replay;
    await this.database.tenant(tenantId, async (tx) => {
      await lockActiveWebhook(tx, tenantId, webhookId);
      const row = await tx.one<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND inserted_at BETWEEN $3 AND $4 AND ${replayable('$5')}`,
        [tenantId, webhookId, first, last, statuses],
      );
      const event = new WebhookReplayed(tenantId, webhookId, startedAt.toISOString(), row?.count ?? 0);
      await this.events.record(tx, event);
    });
  }

  /** @returns the number of deliveries that were queued */
  private async queueAll(tenantId: string, replay: Replay): Promise<number> {
    let count = 0;
    let batch: Cursor[];
    let cursor: Cursor = { id: LOWEST_ID, inserted_at: replay.first };
    do {
      const [after, queuedCount] = [cursor, count];
      batch = await this.database.tenant(tenantId, (tx) =>
        this.queueBatch(tx, tenantId, replay, after, queuedCount),
      );
      count += batch.length;
      cursor = batch.at(-1) ?? cursor;
      // LIMIT counts the rows that remain after waiting for their locks, so a short batch is the last.
    } while (batch.length === BATCH_SIZE);
    return count;
  }

  /**
   * Queues the oldest deliveries after the cursor.
   * @param queuedCount how many deliveries of the replay are queued already
   */
  private queueBatch(
    tx: Transaction,
    tenantId: string,
    { webhookId, last, statuses, startedAt }: Replay,
    after: Cursor,
    queuedCount: number,
  ): Promise<Cursor[]> {
    return tx.query<Cursor>(
      `WITH batch AS (
         SELECT id, inserted_at FROM webhook_deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND (inserted_at, id) > ($5, $6) AND inserted_at <= $7
           AND ${replayable('$8')}
         ORDER BY inserted_at, id LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE
       ), placed AS (
         SELECT id, row_number() OVER (ORDER BY inserted_at, id) AS place FROM batch
       ), queued AS (
         UPDATE webhook_deliveries d SET status = 'pending', failures = 0, claimed_until = NULL,
           next_attempt_at = $3::timestamptz
             + make_interval(secs => GREATEST(0, $4::int + placed.place - ${BURST_SIZE}) * ${INTERVAL_MS} / 1000.0)
         FROM placed WHERE d.id = placed.id)
       SELECT id, inserted_at FROM batch ORDER BY inserted_at, id`,
      [tenantId, webhookId, startedAt, queuedCount, after.inserted_at, after.id, last, statuses],
    );
  }
}
