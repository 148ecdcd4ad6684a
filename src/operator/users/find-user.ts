import { withoutInvisible } from '../../platform/text/invisible';
import type { Transaction } from '../../platform/database/transaction';
import { CommandError } from '../command-error';
import type { TenantRef } from '../tenants/scope-to-tenant';

/** Finds a user of the tenant by e-mail address. @throws CommandError if there is none */
export async function findUser(
  tx: Transaction,
  { id, slug }: TenantRef,
  email: string,
): Promise<{ id: string }> {
  const user = await tx.one<{ id: string }>(
    'SELECT id FROM users WHERE tenant_id = $1 AND lower(email) = lower($2)',
    [id, withoutInvisible(email).trim()],
  );
  if (!user) throw new CommandError(`The tenant ${slug} has no user with the e-mail ${email}.`);
  return user;
}
