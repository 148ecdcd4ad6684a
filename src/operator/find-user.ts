import type { Transaction } from '../platform/database/transaction';
import { Refusal } from './refusal';

/** @throws Refusal when the tenant has no such user */
export async function findUser(
  tx: Transaction,
  { id, slug }: { id: string; slug: string },
  email: string,
): Promise<{ id: string }> {
  const user = await tx.one<{ id: string }>(
    'SELECT id FROM users WHERE tenant_id = $1 AND lower(email) = lower($2)',
    [id, email],
  );
  if (!user) throw new Refusal(`The tenant ${slug} has no user with the e-mail ${email}.`);
  return user;
}
