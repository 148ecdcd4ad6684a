import { Injectable } from '@nestjs/common';
import { toDataURL } from 'qrcode';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import type { Role } from '../../platform/access/roles';
import { Allowances } from '../../platform/rate-limit/allowances';
import { AccessChanged, MfaChanged } from '../identity.events';
import { SessionsService } from '../sessions/sessions.service';
import { ensureMayManage } from '../users/user.rules';
import type { MfaEnrolmentDto, RecoveryCodesDto } from './mfa.dto';
import { newRecoveryCodes } from './recovery-codes';
import { SecondFactor } from './second-factor';
import { newTotpSecret, otpauthUrl } from './totp';

/** Turning a second factor on and off. */
@Injectable()
export class Mfa {
  constructor(
    private readonly database: Database,
    private readonly factor: SecondFactor,
    private readonly sessions: SessionsService,
    private readonly allowances: Allowances,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** A secret for the user's authenticator app, in force once confirmed. @throws 422 when MFA is on */
  async enrol({ tenant_id, user_id }: Principal): Promise<MfaEnrolmentDto> {
    const secret = newTotpSecret();
    const { company, email } = await this.database.tenant(tenant_id, async (tx) => {
      await this.ensureOff(tx, user_id);
      await this.factor.propose(tx, user_id, secret);
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

  /** @returns the recovery codes, which are never shown again. @throws 422 for a wrong code, or when MFA is on */
  async confirm({ tenant_id, user_id }: Principal, code: string): Promise<RecoveryCodesDto> {
    await this.allowances.take('mfa', user_id);
    const recovery_codes = newRecoveryCodes();
    await this.database.tenant(tenant_id, async (tx) => {
      await this.ensureOff(tx, user_id);
      const user = { id: user_id, tenant_id };
      if (!(await this.factor.enable(tx, user, code, recovery_codes))) throw wrongCode();
      await this.changed(tx, tenant_id, user_id, true);
    });
    await this.allowances.giveBack('mfa', user_id);
    return { recovery_codes };
  }

  /** @throws 422 for a wrong code, or when MFA is off */
  async disable({ tenant_id, user_id }: Principal, code: string): Promise<void> {
    await this.allowances.take('mfa', user_id);
    await this.database.tenant(tenant_id, async (tx) => {
      if (!(await this.factor.isOn(tx, user_id))) throw unprocessable('mfa_disabled', 'MFA is not on.');
      if (!(await this.factor.accept(tx, user_id, code))) throw wrongCode();
      await this.factor.disable(tx, user_id);
      await this.changed(tx, tenant_id, user_id, false);
    });
    await this.allowances.giveBack('mfa', user_id);
  }

  /**
   * Takes the second factor from somebody who has lost it, and ends their sessions.
   * @throws 403 for somebody above the caller, 404, 422 for oneself
   */
  async reset(actor: Principal, userId: string): Promise<void> {
    const { tenant_id } = actor;
    if (userId === actor.user_id) {
      throw unprocessable('own_mfa', 'Turn your own MFA off with a code: DELETE /api/v1/users/me/mfa.');
    }
    await this.database.tenant(tenant_id, async (tx) => {
      const user = await tx.one<{ role: Role }>(
        'SELECT role FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
        [tenant_id, userId],
      );
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role);
      await this.takeAway(tx, tenant_id, userId);
    });
  }

  /** Takes the second factor away and ends the user's sessions. @returns false when there was none */
  async takeAway(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
    if (!(await this.factor.isOn(tx, userId))) return false;
    await this.factor.disable(tx, userId);
    await this.sessions.revokeAll(tx, tenantId, userId, 'mfa_reset');
    await this.changed(tx, tenantId, userId, false);
    return true;
  }

  private async ensureOff(tx: Transaction, userId: string): Promise<void> {
    if (await this.factor.isOn(tx, userId)) throw unprocessable('mfa_enabled', 'MFA is on already.');
  }

  /** Whether a tenant's demand for MFA is met may be different now. */
  private async changed(tx: Transaction, tenantId: string, userId: string, enabled: boolean): Promise<void> {
    const at = this.clock.now().toISOString();
    await this.events.record(tx, new MfaChanged(tenantId, userId, at, enabled));
    await this.events.record(tx, new AccessChanged(tenantId, userId, at));
  }
}

const wrongCode = () => invalidField('code', 'is wrong or has been used');
