import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { PAYMENT_GATEWAYS, type PaymentGateway } from './payment-gateway';
import { PaymentNotifications } from './payment-notifications';

interface KeptNotification {
  gateway: string;
  event_id: string;
  payload: unknown;
  received_at: Date;
}

export interface Replayed {
  notifications: number;
  tenants: number;
}

/**
 * Reads what payment gateways sent once more and works subscriptions out anew: after a notification was
 * misunderstood, or could not be applied. Nothing is lost or counted twice however often it is done.
 */
@Injectable()
export class ReplayPayments {
  constructor(
    private readonly database: Database,
    private readonly notifications: PaymentNotifications,
    @Inject(PAYMENT_GATEWAYS) private readonly gateways: PaymentGateway[],
  ) {}

  /** @param tenantId null for all tenants */
  async replay(tenantId: string | null): Promise<Replayed> {
    let notifications = 0;
    for (const gateway of this.gateways) notifications += await this.readAgain(gateway);
    const tenants = await this.tenantsOf(tenantId);
    for (const tenant of tenants) await this.notifications.apply(tenant);
    return { notifications, tenants: tenants.length };
  }

  private async readAgain(gateway: PaymentGateway): Promise<number> {
    return this.database.system(async (tx) => {
      const kept = await tx.query<KeptNotification>(
        'SELECT gateway, event_id, payload, received_at FROM gateway_events WHERE gateway = $1',
        [gateway.name],
      );
      const understood = kept.map(({ event_id, payload, received_at }) => {
        const { kind, payment_id, tenant_id, occurred_at } = gateway.read(payload);
        return { event_id, kind, payment_id, tenant_id, occurred_at: occurred_at ?? received_at };
      });
      await tx.query(
        `UPDATE gateway_events e SET kind = n.kind, payment_id = n.payment_id, occurred_at = n.occurred_at,
           tenant_id = (SELECT id FROM tenants WHERE id = n.tenant_id)
         FROM jsonb_to_recordset($2::jsonb) AS n (event_id text, kind text, payment_id text, tenant_id uuid,
           occurred_at timestamptz)
         WHERE e.gateway = $1 AND e.event_id = n.event_id`,
        [gateway.name, JSON.stringify(understood)],
      );
      return kept.length;
    });
  }

  private async tenantsOf(tenantId: string | null): Promise<string[]> {
    const [rows] = await this.database.readSystem<[{ tenant_id: string }]>([
      {
        text: `SELECT DISTINCT tenant_id FROM gateway_events
               WHERE tenant_id IS NOT NULL AND ($1::uuid IS NULL OR tenant_id = $1)`,
        values: [tenantId],
      },
    ]);
    return rows.map((row) => row.tenant_id);
  }
}
