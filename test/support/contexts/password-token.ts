import { PasswordTokens } from '../../../src/identity/password-reset/password-tokens';
import { Database } from '../../../src/platform/database/database';
import type { Member, TestTenant } from '../builders';
import type { TestApp } from '../test-app';

/** Issues a token with which the member can choose a password for one minute. */
export async function passwordToken(test: TestApp, tenant: TestTenant, { id }: Member): Promise<string> {
  const holder = { tenant_id: tenant.id, user_id: id };
  const token = await test
    .get(Database)
    .tenant(tenant.id, (tx) => test.get(PasswordTokens).issue(tx, holder, 60));
  return token ?? '';
}
