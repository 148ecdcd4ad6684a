import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { SecretResealer } from '../../platform/secrets/secret-resealer';
import { SealError, SecretBox } from '../../platform/secrets/secret-box';
import type { SecondFactorKind } from '../identity.events';
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes';
import { stepOfCode } from './totp';

interface StoredFactor {
  mfa_enabled: boolean;
  mfa_secret: string | null;
  /** bigint, hence text. */
  mfa_last_step: string | null;
}

/** What the sealed secret of a user is bound to. */
export const secretPurpose = (userId: string) => `mfa_secret of ${userId}`;

/** A user's second factor: an authenticator app's codes, and recovery codes for when it is lost. */
@Injectable()
export class SecondFactor implements OnModuleInit {
  private readonly logger = new Logger(SecondFactor.name);

  constructor(
    private readonly secrets: SecretBox,
    private readonly resealing: SecretResealer,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.resealing.register({ table: 'users', column: 'mfa_secret', purpose: secretPurpose });
  }

  /** Whether it is on. @param tx holds the user's row locked when this returns */
  async isOn(tx: Transaction, userId: string): Promise<boolean> {
    return (await this.lock(tx, userId))?.mfa_enabled ?? false;
  }

  /** Stores a secret that is not in force yet, in place of an earlier one. */
  async propose(tx: Transaction, userId: string, secret: string): Promise<void> {
    const sealed = this.secrets.seal(secret, secretPurpose(userId));
    await tx.query('UPDATE users SET mfa_secret = $2 WHERE id = $1', [userId, sealed]);
  }

  /**
   * Uses up a code of the app, or a recovery code.
   * @returns which it was, undefined for a wrong one; each is right once
   */
  async accept(tx: Transaction, userId: string, code: string): Promise<SecondFactorKind | undefined> {
    const factor = await this.lock(tx, userId);
    if (!factor?.mfa_enabled) return undefined;
    if (await this.acceptAppCode(tx, userId, factor, code)) return 'app';
    return (await useRecoveryCode(tx, userId, code, this.clock.now())) ? 'recovery_code' : undefined;
  }

  /** Puts the proposed secret in force, if the code proves that the app has it. */
  async enable(
    tx: Transaction,
    user: { id: string; tenant_id: string },
    code: string,
    recoveryCodes: string[],
  ): Promise<boolean> {
    const factor = await this.lock(tx, user.id);
    if (!factor || !(await this.acceptAppCode(tx, user.id, factor, code))) return false;
    await tx.query('UPDATE users SET mfa_enabled = true WHERE id = $1', [user.id]);
    await replaceRecoveryCodes(tx, user, recoveryCodes);
    return true;
  }

  /** Takes it away, with all that belongs to it. */
  async disable(tx: Transaction, userId: string): Promise<void> {
    await tx.query(
      'UPDATE users SET mfa_enabled = false, mfa_secret = NULL, mfa_last_step = NULL WHERE id = $1',
      [userId],
    );
    await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await tx.query('DELETE FROM mfa_attempts WHERE user_id = $1', [userId]);
  }

  private async acceptAppCode(
    tx: Transaction,
    userId: string,
    { mfa_secret, mfa_last_step }: StoredFactor,
    code: string,
  ): Promise<boolean> {
    const secret = mfa_secret && this.open(userId, mfa_secret);
    if (!secret) return false;
    const lastStep = mfa_last_step === null ? null : Number(mfa_last_step);
    // Apps show a code as 123 456, and people type what they see.
    const typed = code.replaceAll(/[\s-]/g, '');
    const step = stepOfCode(secret, typed, this.clock.now(), lastStep);
    if (step === undefined) return false;
    await tx.query('UPDATE users SET mfa_last_step = $2 WHERE id = $1', [userId, step]);
    return true;
  }

  /** A secret that does not open is the operator's trouble: no code of the app fits it, recovery codes still do. */
  private open(userId: string, sealed: string): string | undefined {
    try {
      return this.secrets.open(sealed, secretPurpose(userId));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.logger.error(
        error,
        `The MFA secret of user ${userId} does not open; only a recovery code lets them in`,
      );
      return undefined;
    }
  }

  /** Whoever uses a code holds the user's row: two requests with one code take turns, and the second fails. */
  private lock(tx: Transaction, userId: string): Promise<StoredFactor | undefined> {
    return tx.one<StoredFactor>(
      'SELECT mfa_enabled, mfa_secret, mfa_last_step FROM users WHERE id = $1 FOR NO KEY UPDATE',
      [userId],
    );
  }
}
