import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { ConnectionLimiter } from '../../platform/database/connection-limiter';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import type { Outcome } from '../../platform/outbound/outbound-http';
import {
  isSuccess,
  type DisableReason,
  disableReason,
  type RetryDecision,
  decideRetry,
} from './delivery.rules';
import type { Endpoint } from './webhook-sender';
import { WebhookDisabled } from '../webhook.events';
import { secretsSql } from '../webhook-secrets';

/** How many deliveries of one webhook are under way at once, on all instances together. */
export const CONCURRENCY = 4;
/** A try takes 15 s at most; of an instance that died in one, others take it over after this. */
const CLAIM_SECONDS = 20;
/** Deliveries that are given up in one transaction. */
const BATCH = 1000;

/** What is said of deliveries that came due while nothing was sent to their webhook. */
export const DISABLED = 'the webhook is disabled';
/** Of a try that is being made; for ever, if the process was killed in it. */
const UNKNOWN = 'no result is known';
const CUT_SHORT = 'given up when the service stopped';

/** A webhook that has something due. */
export interface DueWebhook {
  webhook_id: string;
  tenant_id: string;
}

/** A delivery that this process is to make now. */
export interface ClaimedDelivery {
  id: string;
  /** The text that is sent and signed. */
  body: string;
  /** Which try of it this is. */
  number: number;
  claimed_until: Date;
  endpoint: Endpoint;
}

type LockedEndpoint = Endpoint & { active: boolean; suspended: boolean };

interface DeliveryState {
  status: string;
  failures: number;
  claimed_until: Date | null;
}

/** Its own share of the connections, in which it waits for as long as it takes: calls come first. */
@Injectable()
export class DeliveryConnectionLimiter extends ConnectionLimiter {
  override patience = 2_147_483_647;
}

/**
 * The deliveries that are still to be made, as rows: written with the change that they tell of, claimed for as long as
 * a try may take. Whoever locks a webhook and its deliveries locks the webhook first.
 */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly database: Database,
    private readonly share: DeliveryConnectionLimiter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** The webhooks that have something due, however many deliveries wait behind each: one look at the index a webhook. */
  async due(): Promise<DueWebhook[]> {
    const [rows] = await this.database.readSystem<[DueWebhook]>([
      {
        name: 'due-webhooks',
        text: `WITH RECURSIVE pending AS (
            (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
            UNION ALL
            SELECT (SELECT d.webhook_id FROM webhook_deliveries d
                    WHERE d.status = 'pending' AND d.webhook_id > p.webhook_id ORDER BY d.webhook_id LIMIT 1)
            FROM pending p WHERE p.webhook_id IS NOT NULL)
          SELECT p.webhook_id, w.tenant_id FROM pending p
            JOIN webhooks w ON w.id = p.webhook_id JOIN tenants t ON t.id = w.tenant_id AND t.suspended_at IS NULL
          WHERE EXISTS (
            SELECT FROM webhook_deliveries d
            WHERE d.webhook_id = p.webhook_id AND d.status = 'pending' AND d.next_attempt_at <= $1)
          ORDER BY p.webhook_id`,
        values: [this.clock.now()],
      },
    ]);
    return rows;
  }

  /**
   * Claims what is due of one webhook, as far as its concurrency goes; the longest due first. Of one that is switched
   * off, it gives up what is due; one that somebody is just busy with has its turn later.
   * @param most how many at the most
   */
  claim(webhookId: string, most = CONCURRENCY): Promise<ClaimedDelivery[]> {
    return this.share.run(() =>
      this.database.system(async (tx) => {
        const now = this.clock.now();
        // Behind this lock the count of what is under way is right: its statement begins, and sees, after it.
        const endpoint = await tx.one<LockedEndpoint>(
          `SELECT w.id, w.tenant_id, w.url, w.active, t.suspended_at IS NOT NULL AS suspended,
             ${secretsSql('$2')} AS secrets
           FROM webhooks w JOIN tenants t ON t.id = w.tenant_id WHERE w.id = $1 FOR NO KEY UPDATE OF w SKIP LOCKED`,
          [webhookId, now],
        );
        if (!endpoint || endpoint.suspended) return [];
        if (endpoint.active) return this.claimOf(tx, endpoint, most, now);
        await giveUp(tx, webhookId, now);
        return [];
      }),
    );
  }

  /** Gives back what was claimed and not tried to the end: it is due again at once. */
  release({ id, number, claimed_until, endpoint }: ClaimedDelivery): Promise<void> {
    return this.share.run(() =>
      this.database.tenant(endpoint.tenant_id, async (tx) => {
        await tx.query('UPDATE webhook_attempts SET error = $3 WHERE delivery_id = $1 AND number = $2', [
          id,
          number,
          CUT_SHORT,
        ]);
        await tx.query(
          `UPDATE webhook_deliveries SET claimed_until = NULL, next_attempt_at = $3, error = $4
           WHERE id = $1 AND claimed_until = $2 AND status = 'pending'`,
          [id, claimed_until, this.clock.now(), CUT_SHORT],
        );
      }),
    );
  }

  /** Writes down what came of a try, and what follows for the delivery and its webhook. */
  finish(claimed: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const { endpoint } = claimed;
    return this.share.run(() =>
      this.database.tenant(endpoint.tenant_id, (tx) => this.finishIn(tx, claimed, outcome)),
    );
  }

  private async finishIn(tx: Transaction, claimed: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const { id, endpoint } = claimed;
    const webhook = await tx.one<{ url: string; failing_since: Date | null }>(
      'SELECT url, failing_since FROM webhooks WHERE id = $1 FOR NO KEY UPDATE',
      [endpoint.id],
    );
    const delivery = await tx.one<DeliveryState>(
      `SELECT status, failures, claimed_until FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
    // Deleted, or erased with the person it told of.
    if (!webhook || !delivery) return;
    const now = this.clock.now();
    await logOutcome(tx, claimed, outcome);
    const hasMoved = webhook.url !== endpoint.url && !isSuccess(outcome);
    const verdict: RetryDecision = hasMoved
      ? { status: 'pending', next_attempt_at: now }
      : decideRetry(outcome, delivery.failures, now, Math.random());
    // Somebody else has it by now, or nobody any more. That it was taken counts all the same.
    const isOurs = delivery.status === 'pending' && sameMoment(delivery.claimed_until, claimed.claimed_until);
    if (!isOurs && verdict.status !== 'delivered') return;
    await settle(tx, id, outcome, verdict);
    // What an address says that is no longer the webhook's says nothing about the one that is.
    if (hasMoved) return;
    // One success makes up for all failures before.
    const failing_since = isSuccess(outcome) ? null : (webhook.failing_since ?? now);
    if (!sameMoment(failing_since, webhook.failing_since)) {
      await tx.query('UPDATE webhooks SET failing_since = $2 WHERE id = $1', [endpoint.id, failing_since]);
    }
    const reason = disableReason(outcome, delivery.failures, webhook.failing_since, now);
    if (reason) await this.disable(tx, endpoint, reason, now);
  }

  private async claimOf(
    tx: Transaction,
    endpoint: Endpoint,
    most: number,
    now: Date,
  ): Promise<ClaimedDelivery[]> {
    const claimed = await tx.query<Omit<ClaimedDelivery, 'endpoint'>>(
      `WITH claimed AS (
         UPDATE webhook_deliveries d SET claimed_until = $3, next_attempt_at = $3, attempts = attempts + 1
         FROM (SELECT id FROM webhook_deliveries
               WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at <= $2
               ORDER BY next_attempt_at, id
               LIMIT GREATEST(0, LEAST($5, ${CONCURRENCY} - (SELECT count(*) FROM webhook_deliveries
                 WHERE webhook_id = $1 AND claimed_until > $2)))
               FOR NO KEY UPDATE SKIP LOCKED) due
         WHERE d.id = due.id RETURNING d.id, d.tenant_id, d.payload::text AS body, d.attempts AS number, d.claimed_until
       ), logged AS (
         INSERT INTO webhook_attempts (tenant_id, delivery_id, number, error, inserted_at)
         SELECT tenant_id, id, number, $4, $2 FROM claimed)
       SELECT id, body, number, claimed_until FROM claimed`,
      [endpoint.id, now, this.clock.in(CLAIM_SECONDS), UNKNOWN, most],
    );
    return claimed.map((delivery) => ({ ...delivery, endpoint }));
  }

  private async disable(
    tx: Transaction,
    { id, tenant_id }: Endpoint,
    reason: DisableReason,
    now: Date,
  ): Promise<void> {
    const switched = await tx.query(
      `UPDATE webhooks SET active = false, disabled_at = $2, disabled_reason = $3, updated_at = $2
       WHERE id = $1 AND active RETURNING id`,
      [id, now, reason],
    );
    if (switched.length === 0) return;
    await this.events.record(tx, new WebhookDisabled(tenant_id, id, now.toISOString(), reason));
  }
}

/** What is due has failed, to be replayed; what is not due yet may live to see the webhook activated again. */
async function giveUp(tx: Transaction, webhookId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, error = $3
     WHERE id IN (SELECT id FROM webhook_deliveries
       WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at <= $2 LIMIT ${BATCH}
       FOR NO KEY UPDATE SKIP LOCKED)`,
    [webhookId, now, DISABLED],
  );
}

async function logOutcome(tx: Transaction, { id, number }: ClaimedDelivery, outcome: Outcome): Promise<void> {
  const { response_status, response_body, error, duration_ms } = outcome;
  await tx.query(
    `UPDATE webhook_attempts SET response_status = $3, response_body = $4, error = $5, duration_ms = $6
     WHERE delivery_id = $1 AND number = $2`,
    [id, number, response_status, response_body, error, duration_ms],
  );
}

async function settle(tx: Transaction, id: string, outcome: Outcome, verdict: RetryDecision): Promise<void> {
  const { response_status, response_body, error, duration_ms } = outcome;
  const next = verdict.status === 'pending' ? verdict.next_attempt_at : null;
  await tx.query(
    `UPDATE webhook_deliveries SET status = $2, next_attempt_at = $3, claimed_until = NULL,
       failures = failures + CASE WHEN $2 = 'delivered' THEN 0 ELSE 1 END,
       response_status = $4, response_body = $5, error = $6, duration_ms = $7
     WHERE id = $1`,
    [id, verdict.status, next, response_status, response_body, error, duration_ms],
  );
}

const sameMoment = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();
