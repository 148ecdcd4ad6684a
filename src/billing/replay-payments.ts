import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { PAYMENT_GATEWAYS, type PaymentGateway, storedKind } from './payment-gateway';
import { PaymentNotificationsService } from './payment-notifications.service';
import { tenantReference } from './tenant-reference';

interface StoredNotification {
  arrival: string;
  event_id: string;
  tenant_id: string | null;
  payload: unknown;
  received_at: Date;
}

export interface ReplayResult {
  notifications: number;
  tenants: number;
}

interface Progress {
  notifications: number;
  /** Ids of tenants whose subscriptions may change. */
  tenants: Set<string>;
}

const PAGE_SIZE = 1000;

/**
 * Reads the stored notifications of payment gateways again and updates the subscriptions. Used after
 * notifications were misinterpreted or could not be applied. It is idempotent. Notifications whose payload has been
 * removed (RETENTION_GATEWAY_PAYLOADS_DAYS) count as they were read before.
 */
@Injectable()
export class ReplayPayments {
  constructor(
    private readonly database: Database,
    private readonly notifications: PaymentNotificationsService,
    @Inject(PAYMENT_GATEWAYS) private readonly gateways: PaymentGateway[],
  ) {}

  /** @param tenantId replays the notifications of this tenant and of unknown tenants; null for all tenants */
  async replay(tenantId: string | null): Promise<ReplayResult> {
    const progress: Progress = { notifications: 0, tenants: new Set(tenantId ? [tenantId] : []) };
    for (const gateway of this.gateways) await this.replayGateway(gateway, tenantId, progress);
    for (const tenant of progress.tenants) await this.notifications.refreshSubscription(tenant);
    return { notifications: progress.notifications, tenants: progress.tenants.size };
  }

  private async replayGateway(
    gateway: PaymentGateway,
    tenantId: string | null,
    progress: Progress,
  ): Promise<void> {
    let after = '0';
    for (;;) {
      const page = await this.database.system((tx) => this.replayPage(tx, gateway, tenantId, after));
      progress.notifications += page.length;
      for (const { before, now } of page) {
        for (const tenant of [before, now]) if (tenant) progress.tenants.add(tenant);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE_SIZE) return;
      after = last.arrival;
    }
  }

  /** @returns the tenant of each notification before and after the replay */
  private async replayPage(tx: Transaction, gateway: PaymentGateway, tenantId: string | null, after: string) {
    const stored = await tx.query<StoredNotification>(
      `SELECT arrival, event_id, tenant_id, payload, received_at FROM gateway_events
       WHERE gateway = $1 AND arrival > $2 AND payload IS NOT NULL AND ($3::uuid IS NULL OR tenant_id IS NULL OR tenant_id = $3)
       ORDER BY arrival LIMIT ${PAGE_SIZE}`,
      [gateway.name, after, tenantId],
    );
    const interpreted = stored.map(({ event_id, payload, received_at }) => {
      const { kind, payment_id, tenant, occurred_at } = gateway.read(payload);
      const reference = tenantReference(tenant);
      return {
        event_id,
        ...storedKind(kind),
        payment_id,
        ...reference,
        occurred_at: occurred_at ?? received_at,
      };
    });
    const owners = await tx.query<{ event_id: string; tenant_id: string | null }>(
      `UPDATE gateway_events e SET kind = n.kind, correction = n.correction, payment_id = n.payment_id, occurred_at = n.occurred_at,
         tenant_id = (SELECT id FROM tenants WHERE id = n.tenant_id OR (slug = n.tenant_slug AND inserted_at <= e.received_at))
       FROM jsonb_to_recordset($2::jsonb) AS n (event_id text, kind text, correction text, payment_id text,
         tenant_id uuid, tenant_slug text, occurred_at timestamptz)
       WHERE e.gateway = $1 AND e.event_id = n.event_id RETURNING e.event_id, e.tenant_id`,
      [gateway.name, JSON.stringify(interpreted)],
    );
    const ownerOf = new Map(owners.map(({ event_id, tenant_id }) => [event_id, tenant_id]));
    return stored.map(({ arrival, event_id, tenant_id }) => {
      return { arrival, before: tenant_id, now: ownerOf.get(event_id) ?? null };
    });
  }
}
