import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';
import type { PaymentEvent } from '../plans/payment-history';
import { SubscriptionWriter } from '../plans/subscription-writer';
import { SubscriptionsService } from '../plans/subscriptions.service';
import { type PaymentNotification, storedKind } from './payment-gateway';
import { tenantReference } from './tenant-reference';

const QUEUE = 'apply-payments';
/** PostgreSQL limits an index entry to about 2,700 bytes. */
const MAX_ID_LENGTH = 500;

interface TenantPayments {
  tenant_id: string;
}

/**
 * Stores the notifications of payment gateways and applies them to subscriptions. A notification is stored
 * together with a job that applies it after the response, so a failure is retried here and the gateway does
 * not notice it.
 */
@Injectable()
export class PaymentNotificationsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly writer: SubscriptionWriter,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<TenantPayments>(QUEUE, ({ tenant_id }) => this.refreshSubscription(tenant_id));
  }

  /**
   * Stores a notification once, however often it is delivered, even if its tenant is unknown. A tenant that
   * is being erased counts as unknown: waiting for the lock of its deletion would take too long.
   * @param body the delivered body, as `toStorableJson` returns it
   */
  async receive(gateway: string, notification: PaymentNotification, body: unknown): Promise<void> {
    const payload = JSON.stringify(body);
    await this.database.system(async (tx) => {
      const stored = await tx.one<{ tenant_id: string | null }>(
        `INSERT INTO gateway_events
           (gateway, event_id, tenant_id, event, kind, correction, payment_id, payload, occurred_at, received_at)
         VALUES ($1, $2, (SELECT id FROM tenants WHERE id = $3 OR slug = $4 FOR KEY SHARE SKIP LOCKED),
           $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT ON CONSTRAINT gateway_events_pkey DO NOTHING RETURNING tenant_id`,
        [gateway, eventIdOf(notification, payload), ...columnsOf(notification, payload, this.clock.now())],
      );
      if (!stored?.tenant_id || notification.kind === 'other') return;
      await this.jobs.enqueue(tx, QUEUE, { tenant_id: stored.tenant_id });
    });
  }

  /** Updates the tenant's subscription from all of its stored notifications. */
  refreshSubscription(tenantId: string): Promise<void> {
    return this.database.tenant(tenantId, (tx) => this.refreshSubscriptionIn(tx, tenantId));
  }

  /** Activates the plan on behalf of the operator, regardless of earlier notifications. */
  async grant(tx: Transaction, tenantId: string): Promise<void> {
    const now = this.clock.now();
    await tx.query(
      `INSERT INTO gateway_events (gateway, event_id, tenant_id, event, kind, payload, occurred_at, received_at)
       VALUES ('operator', gen_random_uuid(), $1, 'PLAN_GRANTED', 'granted', '{}', $2, $2)`,
      [tenantId, now],
    );
    await this.refreshSubscriptionIn(tx, tenantId);
  }

  /** As `refreshSubscription`, within a transaction that has changed the notifications or the plan. */
  async refreshSubscriptionIn(tx: Transaction, tenantId: string): Promise<void> {
    await this.subscriptions.lockLimits(tx, tenantId);
    await this.writer.applyHistory(tx, tenantId, await this.historyOf(tx, tenantId));
  }

  private historyOf(tx: Transaction, tenantId: string): Promise<PaymentEvent[]> {
    return tx.query<PaymentEvent>(
      `SELECT coalesce(correction, kind) AS kind, gateway || ' ' || payment_id AS payment_id, occurred_at FROM gateway_events
       WHERE tenant_id = $1 ORDER BY occurred_at, arrival`,
      [tenantId],
    );
  }
}

/** A notification without a usable id is identified by the hash of its content. */
function eventIdOf({ event_id }: PaymentNotification, payload: string): string {
  if (event_id !== null && event_id.length <= MAX_ID_LENGTH) return event_id;
  return `sha256:${createHash('sha256').update(payload).digest('hex')}`;
}

function columnsOf(notification: PaymentNotification, payload: string, now: Date): unknown[] {
  const { tenant, event, kind, payment_id, occurred_at } = notification;
  const { tenant_id, tenant_slug } = tenantReference(tenant);
  const stored = storedKind(kind);
  return [
    tenant_id,
    tenant_slug,
    event,
    stored.kind,
    stored.correction,
    payment_id,
    payload,
    occurred_at ?? now,
    now,
  ];
}
