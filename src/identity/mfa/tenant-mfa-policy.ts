import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { InTransaction } from '../../platform/events/listeners';
import { TenantSuspended, TenantUpdated } from '../../tenancy/tenant.events';
import { AccessChanged } from '../sessions/session.events';

/** Settings that decide what a tenant's staff may do: whatever is remembered of sessions depends on them. */
const DECISIVE = ['restrict_attendants', 'mfa_required', 'name'];

/** Makes a tenant's settings count for sessions that are open already. */
@Injectable()
export class TenantMfaPolicy {
  constructor(private readonly events: EventBus) {}

  @InTransaction(TenantSuspended)
  async onSuspended({ tenant_id, occurred_at }: TenantSuspended, tx: Transaction): Promise<void> {
    await this.events.record(tx, new AccessChanged(tenant_id, tenant_id, occurred_at));
  }

  @InTransaction(TenantUpdated)
  async onUpdated({ tenant_id, changed, occurred_at }: TenantUpdated, tx: Transaction): Promise<void> {
    if (!changed.some((setting) => DECISIVE.includes(setting))) return;
    await this.events.record(tx, new AccessChanged(tenant_id, tenant_id, occurred_at));
  }
}
