import { Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Database } from '../../platform/database/database';
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

  /**
   * Opens a session or an MFA attempt. The account may change while its password is verified: a password change or
   * a deactivation may have ended all sessions, and this login must not open one after that.
   * @throws 401 when the password has changed, or the account has been deactivated
   */
  private async complete(
    account: LoginAccount,
    client: SessionClient,
  ): Promise<LoginAnswerDto | MfaChallengeDto> {
    try {
      return await this.database.tenant(account.tenant_id, async (tx) => this.open(tx, account, client));
    } catch (error) {
      if (!isAccountChanged(error)) throw error;
      // MFA may have been enabled or disabled: then this begins again.
      return this.complete({ ...account, mfa_enabled: await this.hasMfa(account) }, client);
    }
  }

  /** Waits for no statement, so that BEGIN, all statements and COMMIT are sent in one packet. */
  private async open(
    tx: Transaction,
    account: LoginAccount,
    client: SessionClient,
  ): Promise<LoginAnswerDto | MfaChallengeDto> {
    if (!account.mfa_enabled) return this.completeLogin.complete(tx, account, client, null);
    return { mfa_required: true, mfa_token: this.attempts.create(tx, account) };
  }

  /** Whether the account has MFA enabled now. @throws 401 if it has changed otherwise */
  private async hasMfa({ tenant_id, id, password_hash }: LoginAccount): Promise<boolean> {
    const [[current]] = await this.database.readTenant<[{ mfa_enabled: boolean }]>(tenant_id, [
      {
        text: 'SELECT mfa_enabled FROM users WHERE id = $1 AND active AND password_hash = $2',
        values: [id, password_hash],
      },
    ]);
    if (!current) throw invalidCredentials();
    return current.mfa_enabled;
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

const NOT_NULL_VIOLATION = '23502';

/**
 * Whether a transaction failed because the account has changed since its password was verified. The statement that
 * writes the user's id takes it from a query of the unchanged account. If that finds nothing, the id is null, which the
 * column refuses, so that nothing is committed although COMMIT has been sent already.
 */
const isAccountChanged = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === NOT_NULL_VIOLATION && error.column === 'user_id';
