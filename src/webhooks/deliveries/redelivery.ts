import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, notFound, unprocessable } from '../../platform/http/errors/api-error';
import { parseTimestamp } from '../../platform/http/input/timestamp';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { TEST_EVENT } from '../payloads/webhook-events';
import type { DeliveryDetailsDto, ReplayDto, ReplayedDto } from './delivery.dto';
import { WebhookReplayed } from '../webhook.events';
import { WebhookList } from '../webhook-list';

/** Deliveries queued in one transaction. */
const BATCH = 2000;
/** So many of a replay are due at once; the others one after the other, so that what happens now is not told last. */
const AT_ONCE = 100;
const PACE_MS = 50;
/** Before every other id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Those that are over. `statuses` is SQL for an array. */
const REPLAYABLE = (statuses: string) => `status = ANY (${statuses}) AND event <> '${TEST_EVENT}'`;

interface Queued {
  id: string;
  inserted_at: Date;
}

interface Range {
  webhookId: string;
  last: Date;
  statuses: string[];
}

/** Makes deliveries again, from the start with all their tries. Receivers know them by their webhook-id. */
@Injectable()
export class Redelivery {
  constructor(
    private readonly database: Database,
    private readonly list: WebhookList,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * A try that is under way goes on, and is the first of the new ones.
   * @throws 404; 422 `webhook_inactive`, `webhook_test`
   */
  async redeliver(tenantId: string, webhookId: string, id: string): Promise<DeliveryDetailsDto> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.ensureActive(tx, tenantId, webhookId);
      const now = this.clock.now();
      const delivery = await tx.one<{ event: string }>(
        'SELECT event FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [webhookId, id],
      );
      if (!delivery) throw notFound('Delivery');
      if (delivery.event === TEST_EVENT) {
        throw unprocessable('webhook_test', 'A test is not sent again. Send another one.');
      }
      await tx.query(
        `UPDATE webhook_deliveries SET status = 'pending', failures = 0,
           next_attempt_at = CASE WHEN claimed_until > $2 THEN next_attempt_at ELSE $2 END,
           claimed_until = CASE WHEN claimed_until > $2 THEN claimed_until END
         WHERE id = $1`,
        [id, now],
      );
      await this.events.record(tx, new WebhookReplayed(tenantId, webhookId, now.toISOString(), 1));
    });
    this.dispatcher.wake({ webhook_id: webhookId, tenant_id: tenantId });
    return this.list.delivery(tenantId, webhookId, id);
  }

  /** @throws 404; 422 `webhook_inactive`, and for a range that ends before it begins */
  async replay(tenantId: string, webhookId: string, { from, to, status }: ReplayDto): Promise<ReplayedDto> {
    const [first, last] = [parseTimestamp(from), to ? parseTimestamp(to) : this.clock.now()];
    if (last < first) throw invalidField('to', 'must not be before from');
    const range = { webhookId, last, statuses: status ? [status] : ['failed', 'delivered'] };
    const now = this.clock.now();
    await this.database.tenant(tenantId, async (tx) => {
      await this.ensureActive(tx, tenantId, webhookId);
      const row = await tx.one<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND inserted_at BETWEEN $3 AND $4 AND ${REPLAYABLE('$5')}`,
        [tenantId, webhookId, first, last, range.statuses],
      );
      const event = new WebhookReplayed(tenantId, webhookId, now.toISOString(), row?.count ?? 0);
      await this.events.record(tx, event);
    });
    let count = 0;
    let batch: Queued[];
    let behind: Queued = { id: NO_ID, inserted_at: first };
    do {
      const [from, before] = [behind, count];
      batch = await this.database.tenant(tenantId, (tx) =>
        this.queueBatch(tx, tenantId, range, from, now, before),
      );
      count += batch.length;
      behind = batch.at(-1) ?? behind;
      // LIMIT counts the rows that were got after waiting for their locks, so a short batch is the last.
    } while (batch.length === BATCH);
    this.dispatcher.wake({ webhook_id: webhookId, tenant_id: tenantId });
    return { count };
  }

  /**
   * The oldest of the range that are over.
   * @param behind where the batch before ended
   * @param before how many are queued already
   */
  private async queueBatch(
    tx: Transaction,
    tenantId: string,
    { webhookId, last, statuses }: Range,
    behind: Queued,
    now: Date,
    before: number,
  ): Promise<Queued[]> {
    return tx.query<Queued>(
      `WITH batch AS (
         SELECT id, inserted_at FROM webhook_deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND (inserted_at, id) > ($5, $6) AND inserted_at <= $7
           AND ${REPLAYABLE('$8')}
         ORDER BY inserted_at, id LIMIT ${BATCH} FOR NO KEY UPDATE
       ), placed AS (
         SELECT id, row_number() OVER (ORDER BY inserted_at, id) AS place FROM batch
       ), queued AS (
         UPDATE webhook_deliveries d SET status = 'pending', failures = 0, claimed_until = NULL,
           next_attempt_at = $3::timestamptz
             + make_interval(secs => GREATEST(0, $4::int + placed.place - ${AT_ONCE}) * ${PACE_MS} / 1000.0)
         FROM placed WHERE d.id = placed.id)
       SELECT id, inserted_at FROM batch ORDER BY inserted_at, id`,
      [tenantId, webhookId, now, before, behind.inserted_at, behind.id, last, statuses],
    );
  }

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
