import { isUUID } from 'class-validator';
import type { Transaction } from '../../platform/database/transaction';
import { CommandError } from '../command-error';

export interface TenantRef {
  id: string;
  slug: string;
}

/**
 * Finds a tenant and narrows a system transaction to it.
 * @param slugOrId a value that looks like an id is treated as one, since a company's slug may equal another tenant's id
 * @throws CommandError if there is no such tenant
 */
export async function scopeToTenant(tx: Transaction, slugOrId: string): Promise<TenantRef> {
  const [field, condition] = isUUID(slugOrId) ? ['id', 'id = $1::uuid'] : ['slug', 'slug = lower($1)'];
  const tenant = await tx.one<TenantRef>(`SELECT id, slug FROM tenants WHERE ${condition}`, [slugOrId]);
  if (!tenant) throw new CommandError(`There is no tenant with the ${field} ${slugOrId}.`);
  tx.narrow(tenant.id);
  return tenant;
}
