import { Injectable } from '@nestjs/common';
import { toDataURL } from 'qrcode';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { AccessChanged } from '../sessions/session.events';
import { MfaChanged } from '../users/user.events';
import { SessionsService } from '../sessions/sessions.service';
import { ensureMayManage } from '../users/user.rules';
import { CodeAllowance } from './code-allowance';
import type { MfaEnrolmentDto, RecoveryCodesDto } from './mfa.dto';
import { Reauthentication } from './reauthentication';
import { newRecoveryCodes } from './recovery-codes';
import { SecondFactor } from './second-factor';
import { newTotpSecret, otpauthUrl } from './totp';
import { Role } from '../../platform/access/roles';

/** Enrols users in MFA and disables it. */
@Injectable()
export class MfaService {
  constructor(
    private readonly database: Database,
    private readonly factor: SecondFactor,
    private readonly sessions: SessionsService,
    private readonly allowance: CodeAllowance,
    private readonly reauthentication: Reauthentication,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a secret for the authenticator app; `confirm` activates it.
   * @param password required when the login is older than 10 minutes: a stolen access token must not be enough to
   *   lock the user out with an app of the thief
   * @throws 422 when MFA is enabled; 403, 422 and 429 as Reauthentication
   */
  async enrol(user: Principal, password: string | null): Promise<MfaEnrolmentDto> {
    await this.reauthentication.ensure(user, password);
    const { tenant_id, user_id } = user;
    const secret = newTotpSecret();
    const { company, email } = await this.database.tenant(tenant_id, async (tx) => {
      await this.ensureDisabled(tx, user_id);
      await this.factor.storePendingSecret(tx, user_id, secret);
      const names = await tx.one<{ company: string; email: string }>(
        'SELECT t.name AS company, u.email FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = $1',
        [user_id],
      );
      if (!names) throw notFound('User');
      return names;
    });
    const otpauth_url = otpauthUrl(secret, company, email);
    return { secret, otpauth_url, qr_code: await toDataURL(otpauth_url) };
  }

  /**
   * Enables MFA with a code of the enrolled app.
   * @returns the recovery codes, which cannot be read again
   * @throws 422 for a wrong code, or when MFA is already enabled; 429 after too many codes
   */
  async confirm({ tenant_id, user_id }: Principal, code: string): Promise<RecoveryCodesDto> {
    await this.allowance.consume(user_id, code);
    const recovery_codes = newRecoveryCodes();
    await this.database.tenant(tenant_id, async (tx) => {
      await this.ensureDisabled(tx, user_id);
      const user = { id: user_id, tenant_id };
      if (!(await this.factor.enable(tx, user, code, recovery_codes))) throw wrongCode();
      await this.recordChange(tx, tenant_id, user_id, true);
    });
    await this.allowance.reset(user_id);
    return { recovery_codes };
  }

  /** @throws 422 for a wrong code, or when MFA is disabled; 429 after too many codes */
  async disable({ tenant_id, user_id }: Principal, code: string): Promise<void> {
    await this.allowance.consume(user_id, code);
    await this.database.tenant(tenant_id, async (tx) => {
      if (!(await this.factor.isEnabled(tx, user_id)))
        throw unprocessable('mfa_disabled', 'MFA is not enabled.');
      if (!(await this.factor.consumeCode(tx, user_id, code))) throw wrongCode();
      await this.factor.disable(tx, user_id);
      await this.recordChange(tx, tenant_id, user_id, false);
    });
    await this.allowance.reset(user_id);
  }

  /**
   * Removes the second factor of a user who has lost it, and ends their sessions.
   * @throws 403 for a user above the caller; 404; 422 for the caller's own account
   */
  async reset(actor: Principal, userId: string): Promise<void> {
    const { tenant_id } = actor;
    if (userId === actor.user_id) {
      throw unprocessable('own_mfa', 'Disable your own MFA with a code: DELETE /api/v1/users/me/mfa.');
    }
    await this.database.tenant(tenant_id, async (tx) => {
      const user = await tx.one<{ role: Role }>(
        'SELECT role FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [tenant_id, userId],
      );
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role);
      await this.remove(tx, tenant_id, userId);
    });
  }

  /** Removes the second factor and ends the user's sessions. @returns false when MFA was not enabled */
  async remove(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
    if (!(await this.factor.isEnabled(tx, userId))) return false;
    await this.factor.disable(tx, userId);
    await this.sessions.revokeAll(tx, tenantId, userId, 'mfa_reset');
    await this.recordChange(tx, tenantId, userId, false);
    return true;
  }

  private async ensureDisabled(tx: Transaction, userId: string): Promise<void> {
    if (await this.factor.isEnabled(tx, userId))
      throw unprocessable('mfa_enabled', 'MFA is already enabled.');
  }

  /** Also records AccessChanged, since the tenant may require MFA. */
  private async recordChange(
    tx: Transaction,
    tenantId: string,
    userId: string,
    enabled: boolean,
  ): Promise<void> {
    const at = this.clock.now().toISOString();
    await this.events.record(tx, new MfaChanged(tenantId, userId, at, enabled));
    await this.events.record(tx, new AccessChanged(tenantId, userId, at));
  }
}

const wrongCode = () => invalidField('code', 'is wrong or has been used');
