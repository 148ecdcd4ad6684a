import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { CallbackSubscribers } from '../../calls/callbacks/callback-subscribers';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';

/** The error of deliveries whose invitation is over before they could be delivered. */
const INVITATION_OVER = 'the customer is no longer invited';

/** Tells whether a company can be asked to call customers back, and stops deliveries of invitations that are over. */
@Injectable()
export class CallbackDeliveries implements OnModuleInit {
  constructor(private readonly subscribers: CallbackSubscribers) {}

  onModuleInit(): void {
    this.subscribers.register((tx, tenantId) => this.hasSubscriber(tx, tenantId));
  }

  private async hasSubscriber(tx: Transaction, tenantId: string): Promise<boolean> {
    const found = await tx.one(
      `SELECT FROM webhooks WHERE tenant_id = $1 AND active AND deleted_at IS NULL AND events @> '{callback.due}' LIMIT 1`,
      [tenantId],
    );
    return found !== undefined;
  }

  /** A delivery that is being attempted at this moment is left alone: it arrives anyway, or is tried once more. */
  @InTransaction(CallbackChanged)
  async onChanged(
    { tenant_id, call_id, callback_status, attempts }: CallbackChanged,
    tx: Transaction,
  ): Promise<void> {
    // Before the first invitation there is no delivery. To look for one costs much if the endpoint has been down for long.
    if (callback_status === 'invited' || attempts === 0) return;
    // An event whose deliveries are being made is waited for: they are found by the statement after this one.
    tx.send({
      text: `UPDATE webhook_events SET error = $3
        WHERE tenant_id = $1 AND event = 'callback.due' AND payload #>> '{data,call,id}' = $2::text`,
      values: [tenant_id, call_id, INVITATION_OVER],
    });
    tx.send({
      text: `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, error = $3
        WHERE id IN (SELECT d.id FROM webhooks w
            JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.status = 'pending' AND d.event = 'callback.due'
          WHERE w.tenant_id = $1 AND w.events @> '{callback.due}' AND d.payload #>> '{data,call,id}' = $2::text
            AND COALESCE(d.claimed_until, '-infinity') <= now()
          FOR NO KEY UPDATE OF d SKIP LOCKED)`,
      values: [tenant_id, call_id, INVITATION_OVER],
    });
  }
}
