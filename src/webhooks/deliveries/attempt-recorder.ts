import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import type { AttemptResult } from './attempt-result';
import { DisableWebhook } from '../disable-webhook';
import { DeliveryConnectionLimiter } from './delivery-connection-limiter';
import type { ClaimedDelivery } from './delivery-queue';
import { decideRetry, disableReason, isSuccess, type RetryDecision } from './delivery.rules';

interface DeliveryState {
  status: string;
  failures: number;
  claimed_until: Date | null;
}

/** Records the result of an attempt: in the log, in the delivery, and in the webhook, which may be disabled. */
@Injectable()
export class AttemptRecorder {
  constructor(
    private readonly database: Database,
    private readonly connections: DeliveryConnectionLimiter,
    private readonly disabling: DisableWebhook,
    private readonly clock: Clock,
  ) {}

  record(claimed: ClaimedDelivery, outcome: AttemptResult): Promise<void> {
    return this.connections.run(() =>
      this.database.tenant(claimed.endpoint.tenant_id, (tx) => this.recordIn(tx, claimed, outcome)),
    );
  }

  private async recordIn(tx: Transaction, claimed: ClaimedDelivery, outcome: AttemptResult): Promise<void> {
    const { id, endpoint } = claimed;
    const webhook = await tx.one<{ url: string; failing_since: Date | null }>(
      'SELECT url, failing_since FROM webhooks WHERE id = $1 FOR NO KEY UPDATE',
      [endpoint.id],
    );
    const delivery = await tx.one<DeliveryState>(
      `SELECT status, failures, claimed_until FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
    // Deleted with the webhook, or erased with the customer.
    if (!webhook || !delivery) return;
    const now = this.clock.now();
    await logOutcome(tx, claimed, outcome);
    const hasMoved = webhook.url !== endpoint.url && !isSuccess(outcome);
    const decision: RetryDecision = hasMoved
      ? { status: 'pending', next_attempt_at: now }
      : decideRetry(outcome, delivery.failures, now, Math.random());
    // Another instance may have claimed the delivery since, or it was replayed. Only a success counts then.
    const isOurs = delivery.status === 'pending' && isSameTime(delivery.claimed_until, claimed.claimed_until);
    if (!isOurs && decision.status !== 'delivered') return;
    await updateDelivery(tx, id, outcome, decision);
    // A failure of the previous URL says nothing about the present one.
    if (hasMoved) return;
    // One success resets all earlier failures.
    const failing_since = isSuccess(outcome) ? null : (webhook.failing_since ?? now);
    if (!isSameTime(failing_since, webhook.failing_since)) {
      await tx.query('UPDATE webhooks SET failing_since = $2 WHERE id = $1', [endpoint.id, failing_since]);
    }
    const reason = disableReason(outcome, delivery.failures, webhook.failing_since, now);
    if (reason) await this.disabling.disable(tx, endpoint.tenant_id, endpoint.id, reason, now);
  }
}

async function logOutcome(
  tx: Transaction,
  { id, number }: ClaimedDelivery,
  outcome: AttemptResult,
): Promise<void> {
  const { response_status, response_body, error, duration_ms } = outcome;
  await tx.query(
    `UPDATE webhook_attempts SET response_status = $3, response_body = $4, error = $5, duration_ms = $6
     WHERE delivery_id = $1 AND number = $2`,
    [id, number, response_status, response_body, error, duration_ms],
  );
}

async function updateDelivery(
  tx: Transaction,
  id: string,
  outcome: AttemptResult,
  decision: RetryDecision,
): Promise<void> {
  const { response_status, response_body, error, duration_ms } = outcome;
  const next = decision.status === 'pending' ? decision.next_attempt_at : null;
  await tx.query(
    `UPDATE webhook_deliveries SET status = $2, next_attempt_at = $3, claimed_until = NULL,
       failures = failures + CASE WHEN $2 = 'delivered' THEN 0 ELSE 1 END,
       response_status = $4, response_body = $5, error = $6, duration_ms = $7
     WHERE id = $1`,
    [id, decision.status, next, response_status, response_body, error, duration_ms],
  );
}

const isSameTime = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();
