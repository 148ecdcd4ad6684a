import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { forbidden, unauthenticated } from '../../platform/http/errors/api-error';
import { type LoginAccount, LoginAccountFinder } from './login-account-finder';
import type { LoginAnswerDto, LoginDto, MfaChallengeDto } from './auth.dto';
import { FailedLogins } from './failed-logins';
import { MfaAttemptStore } from './mfa-attempt-store';
import { verifyPassword } from '../users/passwords';
import type { SessionClient } from './session-client';
import { CompleteLogin } from './complete-login';

@Injectable()
export class Login {
  constructor(
    private readonly database: Database,
    private readonly accounts: LoginAccountFinder,
    private readonly attempts: MfaAttemptStore,
    private readonly signIn: CompleteLogin,
    private readonly failures: FailedLogins,
  ) {}

  /**
   * @returns a session's tokens, or with a second factor what to verify it with
   * @throws the same 401, after the same work, for a wrong tenant, e-mail or password; 403 tenant_suspended
   */
  async login(input: LoginDto, client: SessionClient): Promise<LoginAnswerDto | MfaChallengeDto> {
    const candidates = await this.accounts.find(input.email, input.tenant);
    const account = await fitting(candidates.accounts, input.password);
    if (!account?.active || account.suspended) {
      this.failures.note(candidates, account);
      if (account?.active) throw forbidden('This tenant is suspended.', 'tenant_suspended');
      throw invalidCredentials();
    }
    return this.database.tenant(account.tenant_id, async (tx) => {
      const { mfa_enabled } = await this.confirm(tx, account);
      if (!mfa_enabled) return this.signIn.complete(tx, account, client, null);
      return { mfa_required: true, mfa_token: await this.attempts.create(tx, account) };
    });
  }

  /**
   * Checking a password takes a while, in which another may have been set or the account deactivated: that
   * ends all sessions, and this one would come after it.
   * @param tx holds the user's row locked when this returns
   * @throws 401 when the account is not as it was
   */
  private async confirm(
    tx: Transaction,
    { id, password_hash }: LoginAccount,
  ): Promise<{ mfa_enabled: boolean }> {
    const present = await tx.one<{ mfa_enabled: boolean }>(
      `SELECT mfa_enabled FROM users WHERE id = $1 AND active AND password_hash = $2 FOR NO KEY UPDATE`,
      [id, password_hash],
    );
    if (!present) throw invalidCredentials();
    return present;
  }
}

const invalidCredentials = () =>
  unauthenticated('Tenant, e-mail or password is wrong.', 'invalid_credentials');

/**
 * Of the accounts that may be meant, the one whose password fits. At least one password is always
 * checked, be it against nothing.
 */
async function fitting(accounts: LoginAccount[], password: string): Promise<LoginAccount | undefined> {
  const checked = await Promise.all(
    (accounts.length > 0 ? accounts : [undefined]).map(async (account) =>
      (await verifyPassword(account?.password_hash ?? null, password)) ? account : undefined,
    ),
  );
  const known = checked.filter((account) => account !== undefined);
  return known.find((account) => account.active && !account.suspended) ?? known[0];
}
