import { isUUID } from 'class-validator';
import type { Transaction } from '../platform/database/transaction';
import { Refusal } from './refusal';

export interface FoundTenant {
  id: string;
  slug: string;
}

/**
 * Finds a tenant in a transaction across tenants, which then goes on as that tenant's.
 * @param which its id or its slug; what looks like an id is taken for one, since a company may choose a name
 * whose slug is another's id
 * @throws Refusal
 */
export async function enterTenant(tx: Transaction, which: string): Promise<FoundTenant> {
  const [what, condition] = isUUID(which) ? ['id', 'id = $1::uuid'] : ['slug', 'slug = lower($1)'];
  const tenant = await tx.one<FoundTenant>(`SELECT id, slug FROM tenants WHERE ${condition}`, [which]);
  if (!tenant) throw new Refusal(`There is no tenant with the ${what} ${which}.`);
  await tx.narrow(tenant.id);
  return tenant;
}
