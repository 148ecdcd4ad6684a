import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { WEBHOOK_INACTIVE } from '../disable-webhook';
import { secretsSql } from '../webhook-secrets';
import { DeliveryConnectionLimiter } from './delivery-connection-limiter';
import type { Endpoint } from './webhook-sender';

/** Attempts of one webhook in flight at once, on all instances together. */
export const MAX_IN_FLIGHT_PER_WEBHOOK = 4;
/**
 * An attempt takes 15 s at most. If its instance dies, other instances claim the delivery after this time. Claims use the
 * database's clock, since those of the hosts may differ.
 */
const CLAIM_SECONDS = 20;
/** Deliveries that fail in one transaction because their webhook is inactive. */
const BATCH_SIZE = 1000;

/** The error of an attempt in flight. It remains if the process is killed. */
const NO_RESULT = 'no result is known';
const ABORTED = 'aborted because the service stopped';

/** A webhook with deliveries that are due. */
export interface DueWebhook {
  webhook_id: string;
  tenant_id: string;
}

/** A delivery that this process attempts now. */
export interface ClaimedDelivery {
  id: string;
  /** The text that is signed and sent. */
  body: string;
  /** The number of the attempt, from 1. */
  number: number;
  claimed_until: Date;
  endpoint: Endpoint;
}

/** SQL for pending deliveries of a webhook that no instance attempts now. `now` is SQL for the current time. */
const due = (webhookId: string, now: string) =>
  `webhook_id = ${webhookId} AND status = 'pending' AND next_attempt_at <= ${now}
     AND COALESCE(claimed_until, '-infinity') <= now()`;

type LockedEndpoint = Endpoint & { active: boolean; suspended: boolean };

/**
 * The queue of pending deliveries: rows that are written in the transaction of the change, and claimed for as long as
 * an attempt may take. A webhook is always locked before its deliveries.
 */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly database: Database,
    private readonly connections: DeliveryConnectionLimiter,
    private readonly clock: Clock,
  ) {}

  /** Webhooks with deliveries that are due. It costs one index look-up a webhook, however many deliveries are queued. */
  async findDue(): Promise<DueWebhook[]> {
    const [rows] = await this.database.readSystem<[DueWebhook]>([
      {
        text: `WITH RECURSIVE pending AS (
            (SELECT webhook_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
            UNION ALL
            SELECT (SELECT d.webhook_id FROM webhook_deliveries d
                    WHERE d.status = 'pending' AND d.webhook_id > p.webhook_id ORDER BY d.webhook_id LIMIT 1)
            FROM pending p WHERE p.webhook_id IS NOT NULL)
          SELECT p.webhook_id, w.tenant_id FROM pending p
            JOIN webhooks w ON w.id = p.webhook_id AND w.deleted_at IS NULL
            JOIN tenants t ON t.id = w.tenant_id AND t.suspended_at IS NULL
          WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE ${due('p.webhook_id', '$1')})
          ORDER BY p.webhook_id`,
        values: [this.clock.now()],
      },
    ]);
    return rows;
  }

  /**
   * Claims due deliveries of a webhook, the longest due first, up to its concurrency. For an inactive webhook the due
   * deliveries fail instead. A webhook that is locked at the moment is skipped until the next round.
   * @param limit how many deliveries the caller can attempt
   */
  claim(webhookId: string, limit = MAX_IN_FLIGHT_PER_WEBHOOK): Promise<ClaimedDelivery[]> {
    return this.connections.run(() =>
      this.database.system(async (tx) => {
        const now = this.clock.now();
        // The lock makes the next statement see every claim that was committed before it, so its count is right.
        const endpoint = await tx.one<LockedEndpoint>(
          `SELECT w.id, w.tenant_id, w.url, w.active, t.suspended_at IS NOT NULL AS suspended,
             ${secretsSql('$2')} AS secrets
           FROM webhooks w JOIN tenants t ON t.id = w.tenant_id
           WHERE w.id = $1 AND w.deleted_at IS NULL FOR NO KEY UPDATE OF w SKIP LOCKED`,
          [webhookId, now],
        );
        if (!endpoint || endpoint.suspended) return [];
        if (endpoint.active) return this.claimFor(tx, endpoint, limit, now);
        await failDue(tx, webhookId, now);
        return [];
      }),
    );
  }

  /** Releases a delivery whose attempt was aborted: it is due again at once. */
  release({ id, number, claimed_until, endpoint }: ClaimedDelivery): Promise<void> {
    return this.connections.run(() =>
      this.database.tenant(endpoint.tenant_id, async (tx) => {
        await tx.query('UPDATE webhook_attempts SET error = $3 WHERE delivery_id = $1 AND number = $2', [
          id,
          number,
          ABORTED,
        ]);
        await tx.query(
          `UPDATE webhook_deliveries SET claimed_until = NULL, next_attempt_at = $3, error = $4
           WHERE id = $1 AND claimed_until = $2 AND status = 'pending'`,
          [id, claimed_until, this.clock.now(), ABORTED],
        );
      }),
    );
  }

  private async claimFor(
    tx: Transaction,
    endpoint: Endpoint,
    limit: number,
    now: Date,
  ): Promise<ClaimedDelivery[]> {
    const claimed = await tx.query<Omit<ClaimedDelivery, 'endpoint'>>(
      `WITH claimed AS (
         UPDATE webhook_deliveries d
         SET claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}), attempts = attempts + 1
         FROM (SELECT id FROM webhook_deliveries WHERE ${due('$1', '$2')}
               ORDER BY next_attempt_at, id
               LIMIT GREATEST(0, LEAST($4, ${MAX_IN_FLIGHT_PER_WEBHOOK} - (SELECT count(*) FROM webhook_deliveries
                 WHERE webhook_id = $1 AND claimed_until > now())))
               FOR NO KEY UPDATE SKIP LOCKED) due
         WHERE d.id = due.id RETURNING d.id, d.tenant_id, d.payload::text AS body, d.attempts AS number, d.claimed_until
       ), logged AS (
         INSERT INTO webhook_attempts (tenant_id, delivery_id, number, error, inserted_at)
         SELECT tenant_id, id, number, $3, $2 FROM claimed)
       SELECT id, body, number, claimed_until FROM claimed`,
      [endpoint.id, now, NO_RESULT, limit],
    );
    return claimed.map((delivery) => ({ ...delivery, endpoint }));
  }
}

/** Fails due deliveries of an inactive webhook. Those that are not due yet stay pending: it may be activated in time. */
async function failDue(tx: Transaction, webhookId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, error = $3
     WHERE id IN (SELECT id FROM webhook_deliveries
       WHERE ${due('$1', '$2')} LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE SKIP LOCKED)`,
    [webhookId, now, WEBHOOK_INACTIVE],
  );
}
