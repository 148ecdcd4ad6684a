import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { SecretResealer } from '../../platform/secrets/secret-resealer';
import { SealError, SecretBox } from '../../platform/secrets/secret-box';
import type { SecondFactorMethod } from '../sessions/session.events';
import { MfaAttemptStore } from '../sessions/mfa-attempt-store';
import { consumeRecoveryCode, replaceRecoveryCodes } from './recovery-codes';
import { findTimeStep } from './totp';

interface StoredFactor {
  mfa_enabled: boolean;
  mfa_secret: string | null;
  /** A bigint, which the driver returns as text. */
  mfa_last_step: string | null;
}

/** The purpose to which a user's sealed secret is bound. */
export const secretPurpose = (userId: string) => `mfa_secret of ${userId}`;

/** A user's second factor: codes from an authenticator app, and recovery codes for when the app is lost. */
@Injectable()
export class SecondFactor implements OnModuleInit {
  private readonly logger = new Logger(SecondFactor.name);

  constructor(
    private readonly secrets: SecretBox,
    private readonly resealing: SecretResealer,
    private readonly attempts: MfaAttemptStore,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.resealing.register({ table: 'users', column: 'mfa_secret', purpose: secretPurpose });
  }

  /** Whether it is enabled. Locks the user's row. */
  async isEnabled(tx: Transaction, userId: string): Promise<boolean> {
    return (await this.lock(tx, userId))?.mfa_enabled ?? false;
  }

  /** Stores a secret that `enable` activates, in place of an earlier one. */
  async storePendingSecret(tx: Transaction, userId: string, secret: string): Promise<void> {
    const sealed = this.secrets.seal(secret, secretPurpose(userId));
    await tx.query('UPDATE users SET mfa_secret = $2 WHERE id = $1', [userId, sealed]);
  }

  /**
   * Consumes a code from the app, or a recovery code. Each code works once. Locks the user's row.
   * @returns which kind it was; undefined for a wrong or used code
   */
  async consumeCode(tx: Transaction, userId: string, code: string): Promise<SecondFactorMethod | undefined> {
    const factor = await this.lock(tx, userId);
    if (!factor?.mfa_enabled) return undefined;
    if (await this.consumeAppCode(tx, userId, factor, code)) return 'app';
    return (await consumeRecoveryCode(tx, userId, code, this.clock.now())) ? 'recovery_code' : undefined;
  }

  /** Activates the stored secret. @returns false for a code that does not prove that the app has the secret */
  async enable(
    tx: Transaction,
    user: { id: string; tenant_id: string },
    code: string,
    recoveryCodes: string[],
  ): Promise<boolean> {
    const factor = await this.lock(tx, user.id);
    if (!factor || !(await this.consumeAppCode(tx, user.id, factor, code))) return false;
    await tx.query('UPDATE users SET mfa_enabled = true WHERE id = $1', [user.id]);
    await replaceRecoveryCodes(tx, user, recoveryCodes);
    return true;
  }

  /** Disables it and deletes its secret, recovery codes and unfinished logins. */
  async disable(tx: Transaction, userId: string): Promise<void> {
    await tx.query(
      'UPDATE users SET mfa_enabled = false, mfa_secret = NULL, mfa_last_step = NULL WHERE id = $1',
      [userId],
    );
    await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await this.attempts.deleteAllOfUser(tx, userId);
  }

  private async consumeAppCode(
    tx: Transaction,
    userId: string,
    { mfa_secret, mfa_last_step }: StoredFactor,
    code: string,
  ): Promise<boolean> {
    const secret = mfa_secret && this.openSecret(userId, mfa_secret);
    if (!secret) return false;
    const lastStep = mfa_last_step === null ? null : Number(mfa_last_step);
    // Apps display a code as 123 456, so users type the space too.
    const typed = code.replaceAll(/[\s-]/g, '');
    const step = findTimeStep(secret, typed, this.clock.now(), lastStep);
    if (step === undefined) return false;
    await tx.query('UPDATE users SET mfa_last_step = $2 WHERE id = $1', [userId, step]);
    return true;
  }

  /** @returns undefined for a secret that no ENCRYPTION_KEY decrypts; recovery codes still work then */
  private openSecret(userId: string, sealed: string): string | undefined {
    try {
      return this.secrets.open(sealed, secretPurpose(userId));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.logger.error(
        error,
        `The MFA secret of user ${userId} cannot be decrypted; only recovery codes work for this user`,
      );
      return undefined;
    }
  }

  /** The row lock serialises requests, so that of two requests with the same code the second fails. */
  private lock(tx: Transaction, userId: string): Promise<StoredFactor | undefined> {
    return tx.one<StoredFactor>(
      'SELECT mfa_enabled, mfa_secret, mfa_last_step FROM users WHERE id = $1 FOR NO KEY UPDATE',
      [userId],
    );
  }
}
