import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import type { Outcome } from '../platform/outbound/outbound-http';
import { isTaken, type SwitchOffReason, switchOffReason, type Verdict, verdictOn } from './delivery.rules';
import { WebhookSwitchedOff } from './webhook.events';
import type { StoredSecrets } from './webhook-secrets';

/** How many deliveries of one webhook are under way at once, on all instances together. */
const CONCURRENCY = 4;
/** A try takes 15 s at most; of an instance that died in one, others take it over after this. */
const CLAIM_SECONDS = 20;

/** What is said of deliveries that are not tried, since nothing is sent to their webhook any more. */
export const SWITCHED_OFF = 'the webhook is switched off';

/** Where a webhook's deliveries go, and what signs them. */
export interface Endpoint extends StoredSecrets {
  tenant_id: string;
  url: string;
}

/** A delivery that this process is to make now. */
export interface ClaimedDelivery {
  id: string;
  /** The text that is sent and signed. */
  body: string;
  claimed_until: Date;
  endpoint: Endpoint;
}

interface DeliveryState {
  status: string;
  attempts: number;
  failures: number;
  claimed_until: Date | null;
}

/**
 * The deliveries that are still to be made, as rows: written with the change that they tell of, claimed for as long as
 * a try may take. Whoever locks a webhook and its deliveries locks the webhook first.
 */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** The webhooks that have something due, however many deliveries wait behind each: one look at the index a webhook. */
  async due(): Promise<string[]> {
    const [rows] = await this.database.readSystem<[{ webhook_id: string }]>([
      {
        name: 'due-webhooks',
        text: `WITH RECURSIVE pending AS (
            (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
            UNION ALL
            SELECT (SELECT d.webhook_id FROM webhook_deliveries d
                    WHERE d.status = 'pending' AND d.webhook_id > p.webhook_id ORDER BY d.webhook_id LIMIT 1)
            FROM pending p WHERE p.webhook_id IS NOT NULL)
          SELECT webhook_id FROM pending p WHERE EXISTS (
            SELECT FROM webhook_deliveries d
            WHERE d.webhook_id = p.webhook_id AND d.status = 'pending' AND d.next_attempt_at <= $1)`,
        values: [this.clock.now()],
      },
    ]);
    return rows.map(({ webhook_id }) => webhook_id);
  }

  /** Claims what is due of one webhook, as far as its concurrency goes; the longest due first. */
  async claim(webhookId: string): Promise<ClaimedDelivery[]> {
    const now = this.clock.now();
    const until = this.clock.in(CLAIM_SECONDS);
    return this.database.system(async (tx) => {
      // Behind this lock the count below is right; its statement begins, and sees, after it.
      const endpoint = await tx.one<Endpoint>(
        `SELECT id, tenant_id, url, secret, previous_secret, previous_secret_expires_at FROM webhooks
         WHERE id = $1 AND active FOR NO KEY UPDATE`,
        [webhookId],
      );
      if (!endpoint) return [];
      const claimed = await tx.query<Omit<ClaimedDelivery, 'endpoint'>>(
        `UPDATE webhook_deliveries d SET claimed_until = $3, next_attempt_at = $3
         FROM (SELECT id FROM webhook_deliveries
               WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at <= $2
               ORDER BY next_attempt_at, id
               LIMIT GREATEST(0, ${CONCURRENCY} - (SELECT count(*) FROM webhook_deliveries
                 WHERE webhook_id = $1 AND claimed_until > $2))
               FOR NO KEY UPDATE) due
         WHERE d.id = due.id RETURNING d.id, d.payload::text AS body, d.claimed_until`,
        [webhookId, now, until],
      );
      return claimed.map((delivery) => ({ ...delivery, endpoint }));
    });
  }

  /** Gives back what was claimed and not tried to the end: it is due again at once. */
  async release({ id, claimed_until, endpoint }: ClaimedDelivery): Promise<void> {
    await this.database.tenant(endpoint.tenant_id, (tx) =>
      tx.query(
        `UPDATE webhook_deliveries SET claimed_until = NULL, next_attempt_at = $3
         WHERE id = $1 AND claimed_until = $2 AND status = 'pending'`,
        [id, claimed_until, this.clock.now()],
      ),
    );
  }

  /** Writes down what came of a try, and what follows for the delivery and its webhook. */
  async finish(claimed: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const { id, endpoint } = claimed;
    await this.database.tenant(endpoint.tenant_id, async (tx) => {
      const webhook = await tx.one<{ failing_since: Date | null }>(
        'SELECT failing_since FROM webhooks WHERE id = $1 FOR NO KEY UPDATE',
        [endpoint.id],
      );
      const delivery = await tx.one<DeliveryState>(
        `SELECT status, attempts, failures, claimed_until FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE`,
        [id],
      );
      // Deleted, or erased with the person it told of.
      if (!webhook || !delivery) return;
      const now = this.clock.now();
      const verdict = verdictOn(outcome, delivery.failures, now, Math.random());
      const number = delivery.attempts + 1;
      await logAttempt(tx, endpoint.tenant_id, id, number, outcome, now);
      await tx.query('UPDATE webhook_deliveries SET attempts = $2 WHERE id = $1', [id, number]);
      // Somebody else has it by now, or nobody any more. That it was taken counts all the same.
      const isOurs =
        delivery.status === 'pending' && sameMoment(delivery.claimed_until, claimed.claimed_until);
      if (!isOurs && verdict.status !== 'delivered') return;
      await settle(tx, id, outcome, verdict);
      await this.judge(tx, endpoint, outcome, webhook.failing_since, now);
    });
  }

  /** Nothing that waits for a webhook is tried any more; it stays to be replayed. The caller holds its lock. */
  async giveUp(tx: Transaction, webhookId: string): Promise<void> {
    await tx.query(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, error = $2
       WHERE webhook_id = $1 AND status = 'pending'`,
      [webhookId, SWITCHED_OFF],
    );
  }

  /** One success makes up for all failures before; after three days without one the webhook is given up. */
  private async judge(
    tx: Transaction,
    { id, tenant_id }: Endpoint,
    outcome: Outcome,
    failingSince: Date | null,
    now: Date,
  ): Promise<void> {
    const failing_since = isTaken(outcome) ? null : (failingSince ?? now);
    if (!sameMoment(failing_since, failingSince)) {
      await tx.query('UPDATE webhooks SET failing_since = $2 WHERE id = $1', [id, failing_since]);
    }
    const reason = switchOffReason(outcome, failingSince, now);
    if (reason) await this.switchOff(tx, tenant_id, id, reason, now);
  }

  private async switchOff(
    tx: Transaction,
    tenantId: string,
    id: string,
    reason: SwitchOffReason,
    now: Date,
  ): Promise<void> {
    const switched = await tx.query(
      `UPDATE webhooks SET active = false, switched_off_at = $2, switched_off_reason = $3, updated_at = $2
       WHERE id = $1 AND active RETURNING id`,
      [id, now, reason],
    );
    if (switched.length === 0) return;
    await this.giveUp(tx, id);
    await this.events.record(tx, new WebhookSwitchedOff(tenantId, id, now.toISOString(), reason));
  }
}

/** One more line of a delivery's history. */
export async function logAttempt(
  tx: Transaction,
  tenantId: string,
  deliveryId: string,
  number: number,
  { response_status, response_body, error, duration_ms }: Outcome,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO webhook_attempts
       (tenant_id, delivery_id, number, response_status, response_body, error, duration_ms, inserted_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenantId, deliveryId, number, response_status, response_body, error, duration_ms, now],
  );
}

async function settle(tx: Transaction, id: string, outcome: Outcome, verdict: Verdict): Promise<void> {
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
