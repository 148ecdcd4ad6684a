import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { forbidden, tooManyRequests, unauthenticated } from '../../platform/http/errors/api-error';
import { type LoginAccount, LoginAccountFinder } from './login-account-finder';
import type { LoginAnswerDto, LoginDto, MfaChallengeDto } from './auth.dto';
import { FailedLoginRecorder } from './failed-login-recorder';
import { LoginDelays } from './login-delays';
import { MfaAttemptStore } from './mfa-attempt-store';
import { PasswordHasher } from '../users/password-hasher';
import type { SessionClient } from './session-client';
import { CompleteLogin } from './complete-login';

/** MFA was enabled or disabled while the password was verified. */
class SecondFactorChanged extends Error {}

@Injectable()
export class Login {
  constructor(
    private readonly database: Database,
    private readonly accounts: LoginAccountFinder,
    private readonly delays: LoginDelays,
    private readonly attempts: MfaAttemptStore,
    private readonly completeLogin: CompleteLogin,
    private readonly failures: FailedLoginRecorder,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * @returns the tokens of a new session, or a challenge when the account has MFA enabled
   * @throws 401, the same after the same work for a wrong tenant, e-mail or password; 403 tenant_suspended; 429 while
   *   the account is delayed after wrong passwords
   */
  async login(input: LoginDto, client: SessionClient): Promise<LoginAnswerDto | MfaChallengeDto> {
    const candidates = await this.accounts.find(input.email, input.tenant, client.counted_address);
    const account = await this.authenticate(candidates.accounts, input);
    if (!account?.active || account.suspended) {
      this.failures.record(candidates, account);
      if (account?.active) throw forbidden('This tenant is suspended.', 'tenant_suspended');
      throw invalidCredentials();
    }
    return this.complete(account, client);
  }

  /** The account's second factor may change while its password is verified: then this begins again. */
  private async complete(
    account: LoginAccount,
    client: SessionClient,
  ): Promise<LoginAnswerDto | MfaChallengeDto> {
    try {
      return await this.database.tenant(account.tenant_id, async (tx) => {
        // Sent together, to save a round trip: if the account has changed, what was written is rolled back.
        const [, answer] = await settleAll([this.recheck(tx, account), this.open(tx, account, client)]);
        return answer;
      });
    } catch (error) {
      if (!(error instanceof SecondFactorChanged)) throw error;
      return this.complete({ ...account, mfa_enabled: !account.mfa_enabled }, client);
    }
  }

  private async open(
    tx: Transaction,
    account: LoginAccount,
    client: SessionClient,
  ): Promise<LoginAnswerDto | MfaChallengeDto> {
    if (!account.mfa_enabled) return this.completeLogin.complete(tx, account, client, null);
    return { mfa_required: true, mfa_token: await this.attempts.create(tx, account) };
  }

  /**
   * Finds the account whose password matches. Wrong passwords delay the account, except for an address from which its
   * user has logged in recently: otherwise strangers could lock users out.
   * @throws 429
   */
  private async authenticate(
    accounts: LoginAccount[],
    { email, password }: LoginDto,
  ): Promise<LoginAccount | undefined> {
    const exempt = accounts.filter(({ is_address_known }) => is_address_known);
    if (accounts.length > 0 && exempt.length === accounts.length) return this.findMatching(exempt, password);
    const delaySeconds = await this.delays.reserve(email);
    if (delaySeconds > 0) {
      if (exempt.length === 0) throw tooManyRequests(delaySeconds);
      return this.findMatching(exempt, password);
    }
    const account = await this.findMatching(accounts, password);
    if (account) await this.delays.release(email);
    return account;
  }

  /**
   * Locks the user's row and checks again: while the password hash was being verified, a password change or
   * a deactivation may have ended all sessions, and this login must not open one after that.
   * @throws 401 when the account has changed; SecondFactorChanged
   */
  private async recheck(tx: Transaction, account: LoginAccount): Promise<void> {
    const current = await tx.one<{ mfa_enabled: boolean }>(
      `SELECT mfa_enabled FROM users WHERE id = $1 AND active AND password_hash = $2 FOR NO KEY UPDATE`,
      [account.id, account.password_hash],
    );
    if (!current) throw invalidCredentials();
    if (current.mfa_enabled !== account.mfa_enabled) throw new SecondFactorChanged();
  }

  /**
   * The first account whose password matches, preferring one that may log in. Without any account a decoy is
   * verified, so that the response time is the same.
   */
  private async findMatching(accounts: LoginAccount[], password: string): Promise<LoginAccount | undefined> {
    const verified = await Promise.all(
      (accounts.length > 0 ? accounts : [undefined]).map(async (account) =>
        (await this.hasher.matches(account?.password_hash ?? null, password)) ? account : undefined,
      ),
    );
    const matching = verified.filter((account) => account !== undefined);
    return matching.find((account) => account.active && !account.suspended) ?? matching[0];
  }
}

const invalidCredentials = () =>
  unauthenticated('Tenant, e-mail or password is wrong.', 'invalid_credentials');
