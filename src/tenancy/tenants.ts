import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { freeSlug, slugOf } from '../platform/text/slug';
import { Tenant } from './tenant.entity';

type NewTenant = Pick<Tenant, 'name' | 'document' | 'document_type'>;

/** Serialises the search for a free slug among tenants that register at the same time. */
const SLUG_LOCK = 7_304_512;

@Injectable()
export class Tenants {
  /** Makes a tenant with a slug of its own. A document that is in use breaks tenants_document_key. */
  async create(tx: Transaction, input: NewTenant): Promise<Tenant> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [SLUG_LOCK]);
    const slug = slugOf(input.name, 'tenant');
    const taken = await tx.query<{ slug: string }>(
      `SELECT slug FROM tenants WHERE slug = $1 OR slug ~ ('^' || $1 || '-[0-9]+$')`,
      [slug],
    );
    const tenants = tx.repository(Tenant);
    return tenants.save(
      tenants.create({
        ...input,
        slug: freeSlug(
          slug,
          taken.map((row) => row.slug),
        ),
      }),
    );
  }

  /**
   * Takes the tenant's row lock, behind which limits are counted. FOR NO KEY UPDATE lets rows that
   * reference the tenant be written meanwhile.
   */
  async lock(tx: Transaction, tenantId: string): Promise<void> {
    await tx.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
  }
}
