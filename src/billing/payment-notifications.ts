import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Subscriptions } from '../plans/subscriptions';
import { Tenants } from '../tenancy/tenants';
import type { PaymentNotification } from './payment-gateway';

@Injectable()
export class PaymentNotifications {
  constructor(
    private readonly database: Database,
    private readonly tenants: Tenants,
    private readonly subscriptions: Subscriptions,
    private readonly clock: Clock,
  ) {}

  /**
   * Records the notification and applies it, in one transaction. A notification takes effect once however
   * often it is delivered; what is unknown (tenant, kind of event) is recorded and nothing else.
   */
  async receive(gateway: string, notification: PaymentNotification, payload: unknown): Promise<void> {
    await this.database.system(async (tx) => {
      const tenantId = await this.knownTenant(tx, notification.tenant_id);
      // Deliveries for one tenant take turns, so that "paid before?" has one answer.
      if (tenantId) await this.tenants.lock(tx, tenantId);
      const paidBefore = tenantId !== null && (await this.isPaid(tx, gateway, tenantId, notification));
      const isNew = await this.store(tx, gateway, tenantId, notification, payload);
      if (!isNew || !tenantId || !notification.paid || paidBefore) return;
      await this.subscriptions.activate(tx, tenantId, this.clock.now());
    });
  }

  private async knownTenant(tx: Transaction, id: string | null): Promise<string | null> {
    const tenant = id && (await tx.one<{ id: string }>('SELECT id FROM tenants WHERE id = $1', [id]));
    return tenant ? tenant.id : null;
  }

  /** Whether this charge was already paid: RECEIVED after CONFIRMED starts no second period. */
  private async isPaid(
    tx: Transaction,
    gateway: string,
    tenantId: string,
    { payment_id }: PaymentNotification,
  ): Promise<boolean> {
    const paid = await tx.query(
      `SELECT FROM gateway_events WHERE tenant_id = $1 AND gateway = $2 AND payment_id = $3
         AND event IN ('PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED') LIMIT 1`,
      [tenantId, gateway, payment_id],
    );
    return paid.length > 0;
  }

  private async store(
    tx: Transaction,
    gateway: string,
    tenantId: string | null,
    { event_id, event, payment_id }: PaymentNotification,
    payload: unknown,
  ): Promise<boolean> {
    const stored = await tx.query(
      `INSERT INTO gateway_events (gateway, event_id, tenant_id, event, payment_id, payload, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT ON CONSTRAINT gateway_events_pkey DO NOTHING RETURNING event_id`,
      [gateway, event_id, tenantId, event, payment_id, JSON.stringify(payload), this.clock.now()],
    );
    return stored.length > 0;
  }
}
