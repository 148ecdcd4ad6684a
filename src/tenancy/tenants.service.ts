import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import type { DomainEvent } from '../platform/events/domain-event';
import { EventBus } from '../platform/events/event-bus';
import { uniqueSlug, slugify } from './slug';
import { TenantResumed, TenantSuspended } from './tenant.events';
import { Tenant } from './tenant.entity';

type NewTenant = Pick<Tenant, 'name' | 'document' | 'document_type'>;

@Injectable()
export class TenantsService {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Creates a tenant with a unique slug. A document already in use violates tenants_document_key. */
  async create(tx: Transaction, input: NewTenant): Promise<Tenant> {
    // Serialises the search for a free slug.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('tenant slugs', 0))`);
    const slug = slugify(input.name, 'tenant');
    const taken = await tx.query<{ slug: string }>(
      `SELECT slug FROM tenants WHERE slug = $1 OR slug ~ ('^' || $1 || '-[0-9]+$')`,
      [slug],
    );
    const tenants = tx.repository(Tenant);
    return tenants.save(
      tenants.create({
        ...input,
        slug: uniqueSlug(
          slug,
          taken.map((row) => row.slug),
        ),
      }),
    );
  }

  /** Records that an owner has proven their e-mail address; only then mail goes to the tenant's customers. */
  async confirmEmail(tx: Transaction, tenantId: string): Promise<void> {
    await tx.query(
      'UPDATE tenants SET email_confirmed_at = $2 WHERE id = $1 AND email_confirmed_at IS NULL',
      [tenantId, this.clock.now()],
    );
  }

  /** Locks out the tenant's staff and customers, but keeps its data. @returns false if already suspended */
  suspend(tx: Transaction, tenantId: string): Promise<boolean> {
    const now = this.clock.now();
    return this.changeSuspension(tx, tenantId, now, new TenantSuspended(tenantId, now.toISOString()));
  }

  /** @returns false when it was not suspended */
  resume(tx: Transaction, tenantId: string): Promise<boolean> {
    const at = this.clock.now().toISOString();
    return this.changeSuspension(tx, tenantId, null, new TenantResumed(tenantId, at));
  }

  private async changeSuspension(
    tx: Transaction,
    tenantId: string,
    suspendedAt: Date | null,
    event: DomainEvent,
  ): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE tenants SET suspended_at = $2, updated_at = $3
       WHERE id = $1 AND (suspended_at IS NULL) <> ($2::timestamptz IS NULL) RETURNING id`,
      [tenantId, suspendedAt, this.clock.now()],
    );
    if (changed.length > 0) await this.events.record(tx, event);
    return changed.length > 0;
  }

  /**
   * Locks the tenant's row, under which limits are counted. FOR NO KEY UPDATE still allows inserts of rows
   * that reference the tenant.
   */
  async lock(tx: Transaction, tenantId: string): Promise<void> {
    await tx.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
  }

  /** Remembers, without waiting, that the tenant has at most as many active links. The transaction holds the tenant's lock. */
  rememberLinksBound(tx: Transaction, tenantId: string, bound: number): void {
    tx.send({ text: 'UPDATE tenants SET active_links_bound = $2 WHERE id = $1', values: [tenantId, bound] });
  }
}
