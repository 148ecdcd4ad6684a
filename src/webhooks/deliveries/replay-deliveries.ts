import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { LargeReads } from '../../platform/database/connections/large-reads';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField } from '../../platform/http/errors/api-error';
import { Jobs } from '../../platform/jobs/jobs';
import { CompanyDays } from '../../tenancy/company-days';
import { lockActiveWebhook } from '../lock-webhook';
import { CALLBACK_DUE, TEST_EVENT } from '../payloads/webhook-event-types';
import { WebhookReplayed } from '../webhook.events';
import type { ReplayDto, ReplayResultDto } from './delivery.dto';
import { DeliveryDispatcher } from './delivery-dispatcher';

/** Waiting jobs are stored under this name, so renaming it would lose them. */
const QUEUE = 'webhooks.replay';
/** Enough for millions of deliveries; a longer attempt is continued by the next one. */
const MAX_ATTEMPT_SECONDS = 900;
/** Replays that one instance queues at a time, so that a large one does not hold up those of other companies. */
const JOB_CONCURRENCY = 2;
/** Deliveries queued in one transaction. */
const BATCH_SIZE = 2000;
/** Deliveries of a replay that are due at once. The others follow at an interval, so that new events are not delayed. */
const BURST_SIZE = 100;
const INTERVAL_MS = 50;
/** Sorts before every other id. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** SQL for finished deliveries that may be replayed. `statuses` is SQL for an array. */
const replayable = (statuses: string) =>
  `status = ANY (${statuses}) AND event NOT IN ('${TEST_EVENT}', '${CALLBACK_DUE}')`;

/** Where a batch ended. */
interface Cursor {
  id: string;
  inserted_at: Date | string;
}

interface ReplayJob {
  tenant_id: string;
  webhook_id: string;
  /** The range of `inserted_at`, ISO 8601. */
  first: string;
  last: string;
  statuses: string[];
  /** When the replay was requested, ISO 8601. */
  requested_at: string;
}

/** Sends the deliveries of a time range again, with all their retries. Each keeps its webhook-id. */
@Injectable()
export class ReplayDeliveries implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly largeReads: LargeReads,
    private readonly jobs: Jobs,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly events: EventBus,
    private readonly days: CompanyDays,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ReplayJob>(QUEUE, (job, signal) => this.queueAll(job, signal), {
      concurrency: JOB_CONCURRENCY,
      expireInSeconds: MAX_ATTEMPT_SECONDS,
    });
  }

  /**
   * Requests a replay; a job then queues the deliveries.
   * @returns how many deliveries can be replayed now
   * @throws 404; 422 `webhook_inactive`, and for a range that ends before it begins; ConnectionLimitError while too many
   *   lists are counted
   */
  async replay(
    tenantId: string,
    webhookId: string,
    { from, to, status }: ReplayDto,
  ): Promise<ReplayResultDto> {
    const now = this.clock.now();
    const range = await this.days.range(tenantId, { date_from: from, date_to: to ?? undefined });
    const { from: first = now, until } = range;
    // Both ends are included. Later deliveries, for example of the rest of today, are not counted, so they are not sent again.
    const last = new Date(Math.min(until ? until.getTime() - 1 : Infinity, now.getTime()));
    if (until && until <= first) throw invalidField('to', 'must not be before from');
    if (first > last) throw invalidField('from', 'must not be in the future');
    const job: ReplayJob = {
      tenant_id: tenantId,
      webhook_id: webhookId,
      first: first.toISOString(),
      last: last.toISOString(),
      statuses: status ? [status] : ['failed', 'delivered'],
      requested_at: now.toISOString(),
    };
    // Counting many deliveries takes seconds, in which the lock of the webhook would keep its deliveries from being sent.
    await this.database.tenant(tenantId, (tx) => lockActiveWebhook(tx, tenantId, webhookId));
    const count = await this.largeReads.read(tenantId, () => this.countReplayable(job));
    await this.database.tenant(tenantId, async (tx) => {
      await lockActiveWebhook(tx, tenantId, webhookId);
      await this.events.record(tx, new WebhookReplayed(tenantId, webhookId, job.requested_at, count));
      if (count > 0) await this.jobs.enqueue(tx, QUEUE, job);
    });
    return { count };
  }

  private async countReplayable(job: ReplayJob): Promise<number> {
    const { tenant_id, webhook_id, first, last, statuses } = job;
    const [[row]] = await this.database.readTenant<[{ count: number }]>(tenant_id, [
      {
        text: `SELECT count(*)::int AS count FROM webhook_deliveries
           WHERE tenant_id = $1 AND webhook_id = $2 AND inserted_at BETWEEN $3 AND $4 AND ${replayable('$5')}`,
        values: [tenant_id, webhook_id, first, last, statuses],
      },
    ]);
    return row?.count ?? 0;
  }

  /** @throws the signal's reason when it is aborted between two batches */
  private async queueAll(job: ReplayJob, signal: AbortSignal): Promise<void> {
    const { tenant_id, webhook_id, first } = job;
    let count = 0;
    let batch: Cursor[];
    let cursor: Cursor = { id: LOWEST_ID, inserted_at: first };
    do {
      signal.throwIfAborted();
      const [after, queuedCount] = [cursor, count];
      batch = await this.database.tenant(tenant_id, (tx) => queueBatch(tx, job, after, queuedCount));
      count += batch.length;
      cursor = batch.at(-1) ?? cursor;
      this.dispatcher.wake({ webhook_id, tenant_id });
      // LIMIT counts the rows that remain after waiting for their locks, so a short batch is the last.
    } while (batch.length === BATCH_SIZE);
  }
}

/**
 * Queues the oldest deliveries after the cursor, without those that an earlier attempt of this job has queued.
 * @param queuedCount how many deliveries this attempt has queued already
 */
function queueBatch(
  tx: Transaction,
  { tenant_id, webhook_id, last, statuses, requested_at }: ReplayJob,
  after: Cursor,
  queuedCount: number,
): Promise<Cursor[]> {
  return tx.query<Cursor>(
    `WITH batch AS (
       SELECT id, inserted_at FROM webhook_deliveries
       WHERE tenant_id = $1 AND webhook_id = $2 AND (inserted_at, id) > ($5, $6) AND inserted_at <= $7
         AND ${replayable('$8')} AND COALESCE(replayed_at, '-infinity') < $3
       ORDER BY inserted_at, id LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE
     ), placed AS (
       SELECT id, row_number() OVER (ORDER BY inserted_at, id) AS place FROM batch
     ), queued AS (
       UPDATE webhook_deliveries d SET status = 'pending', failures = 0, claimed_until = NULL, replayed_at = $3,
         next_attempt_at = $3::timestamptz
           + make_interval(secs => GREATEST(0, $4::int + placed.place - ${BURST_SIZE}) * ${INTERVAL_MS} / 1000.0)
       FROM placed WHERE d.id = placed.id)
     SELECT id, inserted_at FROM batch ORDER BY inserted_at, id`,
    [tenant_id, webhook_id, requested_at, queuedCount, after.inserted_at, after.id, last, statuses],
  );
}
