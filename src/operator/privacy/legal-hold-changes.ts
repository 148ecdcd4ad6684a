import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { deleteHold, insertHold } from '../../tenancy/legal-holds';
import { LegalHoldAdded, LegalHoldReleased } from '../../tenancy/legal-hold.events';
import { CommandError } from '../command-error';
import { scopeToTenant } from '../tenants/scope-to-tenant';

export interface HoldResult {
  tenant: string;
  /** Null for a hold of the whole tenant. */
  customer_id: string | null;
  /** False if there was such a hold already. */
  changed: boolean;
}

/** Adds, releases and lists legal holds. */
@Injectable()
export class LegalHoldChanges {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws CommandError if there is no such tenant or customer */
  add(slugOrId: string, customerId: string | null, reason: string): Promise<HoldResult> {
    return this.database.system(async (tx) => {
      const { id: tenant_id, slug } = await scopeToTenant(tx, slugOrId);
      await lockHeld(tx, tenant_id, customerId);
      const now = this.clock.now();
      const id = randomUUID();
      const hold = { id, tenant_id, customer_id: customerId, reason, inserted_at: now };
      const changed = await insertHold(tx, hold);
      if (changed) {
        await this.events.record(tx, new LegalHoldAdded(tenant_id, id, now.toISOString(), customerId));
      }
      return { tenant: slug, customer_id: customerId, changed };
    });
  }

  /** @throws CommandError if there is no such tenant or hold */
  release(slugOrId: string, customerId: string | null): Promise<HoldResult> {
    return this.database.system(async (tx) => {
      const { id: tenant_id, slug } = await scopeToTenant(tx, slugOrId);
      const id =
        customerId === null || isUUID(customerId)
          ? await deleteHold(tx, { tenant_id, customer_id: customerId })
          : undefined;
      if (!id)
        throw new CommandError(`There is no such legal hold; "hold list ${slug}" shows those that exist.`);
      const now = this.clock.now().toISOString();
      await this.events.record(tx, new LegalHoldReleased(tenant_id, id, now, customerId));
      return { tenant: slug, customer_id: customerId, changed: true };
    });
  }

  /** @param slugOrId undefined for all tenants */
  list(slugOrId: string | undefined): Promise<object[]> {
    return this.database.system(async (tx) => {
      const tenantId = slugOrId === undefined ? null : (await scopeToTenant(tx, slugOrId)).id;
      return tx.query(
        `SELECT t.slug AS tenant, h.customer_id, h.reason, h.inserted_at
         FROM legal_holds h JOIN tenants t ON t.id = h.tenant_id
         WHERE $1::uuid IS NULL OR h.tenant_id = $1 ORDER BY t.slug, h.inserted_at, h.id`,
        [tenantId],
      );
    });
  }
}

/** Waits until what is being erased has gone, and keeps the rest from being erased until the transaction ends. */
async function lockHeld(tx: Transaction, tenantId: string, customerId: string | null): Promise<void> {
  const tenant = await tx.one('SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
  if (!tenant) throw new CommandError('The tenant has just been erased.');
  if (customerId === null) return;
  const customer =
    isUUID(customerId) &&
    (await tx.one('SELECT id FROM customers WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE', [
      tenantId,
      customerId,
    ]));
  if (!customer) throw new CommandError(`The tenant has no customer with the id ${customerId}.`);
}
