import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { dayOf } from '../platform/clock/time-zone';
import { forbidden, planLimit } from '../platform/http/errors/api-error';
import { Jobs } from '../platform/jobs/jobs';
import { notHeld } from '../tenancy/legal-holds';
import { PLAN_NAMES, type PlanName } from './plan-catalogue';
import { SubscriptionsService } from './subscriptions.service';

/**
 * Mails that a tenant may cause on one day, in its own time zone, to addresses of its choice, so that a new company cannot
 * mail strangers at will.
 */
export const MAILS_PER_DAY: Record<PlanName, number> = {
  free: 20,
  basic: 200,
  advanced: 1000,
  professional: 5000,
  enterprise: 5000,
};

/** The largest PostgreSQL integer. */
const UNLIMITED = 2_147_483_647;

/** How long counts are kept. */
const KEPT_DAYS = 31;

/** The allowance of a tenant on its present day. */
export interface MailDay {
  /** YYYY-MM-DD. */
  day: string;
  /** Mails so far. */
  mails: number;
  max: number;
}

/**
 * Decides whether a tenant may mail its customers and its staff: within one allowance of its plan, and customers only
 * once an owner has confirmed their e-mail address. Owns the table mail_usage.
 */
@Injectable()
export class MailAllowance implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('purge-mail-usage', '37 3 * * *', () => this.deleteOld());
  }

  /**
   * Counts one mail to a customer.
   * @throws 403 email_not_confirmed; 403 plan_limit when the day's allowance of the plan is used up
   */
  async ensure(tx: Transaction, tenantId: string): Promise<void> {
    if (!(await this.isConfirmed(tx, tenantId))) throw emailNotConfirmed();
    await this.ensureForStaff(tx, tenantId);
  }

  /**
   * Counts one mail that is sent in any case. It may exceed the allowance, and the further mails of the day
   * are then refused. The count is made just before COMMIT, because its row is locked last,
   * except for the rows of appended statements.
   */
  countUnlimited(tx: Transaction, tenantId: string): void {
    tx.beforeCommit(async () => {
      await this.count(tx, tenantId, UNLIMITED);
    });
  }

  /** As `ensure`. @returns false, without counting the mail, when it must not be sent */
  async consume(tx: Transaction, tenantId: string): Promise<boolean> {
    return (await this.isConfirmed(tx, tenantId)) && (await this.consumeForStaff(tx, tenantId));
  }

  /**
   * Counts mails to addresses that a manager gave for members of staff: all of them, or none.
   * @throws 403 plan_limit when the day's allowance of the plan is used up
   */
  async ensureForStaff(tx: Transaction, tenantId: string, mails = 1): Promise<void> {
    const { name } = await this.subscriptions.planInForce(tx, tenantId);
    if (await this.count(tx, tenantId, MAILS_PER_DAY[name], mails)) return;
    const higher = PLAN_NAMES.find((other) => MAILS_PER_DAY[other] > MAILS_PER_DAY[name]);
    throw planLimit(
      `The plan ${name} allows ${MAILS_PER_DAY[name]} mails a day. ` +
        (higher ? `The plan ${higher} allows more.` : 'Try again tomorrow.'),
    );
  }

  /** As `ensureForStaff`. @returns false, without counting the mail, when it must not be sent */
  async consumeForStaff(tx: Transaction, tenantId: string): Promise<boolean> {
    const { name } = await this.subscriptions.planInForce(tx, tenantId);
    return this.count(tx, tenantId, MAILS_PER_DAY[name]);
  }

  /**
   * Counts one mail that anyone can request for a member of staff whose address is not confirmed. Such mails use at most
   * half of the allowance, so that strangers cannot use up all of it.
   * @returns false, without counting the mail, when it must not be sent
   */
  async consumeForUnconfirmed(tx: Transaction, tenantId: string): Promise<boolean> {
    const { name } = await this.subscriptions.planInForce(tx, tenantId);
    return this.count(tx, tenantId, MAILS_PER_DAY[name] / 2);
  }

  /**
   * Reads how much of the day's allowance is used, and locks it until the transaction ends: lock all else before.
   * @returns undefined if no mail may go to customers, because no owner has confirmed their address
   */
  async lockDay(tx: Transaction, tenantId: string): Promise<MailDay | undefined> {
    if (!(await this.isConfirmed(tx, tenantId))) return undefined;
    const { name } = await this.subscriptions.planInForce(tx, tenantId);
    const day = await this.today(tx, tenantId);
    const usage = await tx.one<{ mail_count: number }>(
      `INSERT INTO mail_usage AS m (tenant_id, day, mail_count) VALUES ($1, $2, 0)
       ON CONFLICT (tenant_id, day) DO UPDATE SET mail_count = m.mail_count RETURNING mail_count`,
      [tenantId, day],
    );
    return { day, mails: usage?.mail_count ?? 0, max: MAILS_PER_DAY[name] };
  }

  /** Takes back the count of a mail that could not be sent, so that a retry is not counted as a further one. */
  async release(tx: Transaction, tenantId: string): Promise<void> {
    await tx.query(
      'UPDATE mail_usage SET mail_count = mail_count - 1 WHERE tenant_id = $1 AND day = $2 AND mail_count > 0',
      [tenantId, await this.today(tx, tenantId)],
    );
  }

  /** The day in the time zone of the tenant, YYYY-MM-DD. */
  private async today(tx: Transaction, tenantId: string): Promise<string> {
    const tenant = await tx.one<{ timezone: string }>('SELECT timezone FROM tenants WHERE id = $1', [
      tenantId,
    ]);
    return dayOf(this.clock.now(), tenant?.timezone ?? 'UTC');
  }

  private async isConfirmed(tx: Transaction, tenantId: string): Promise<boolean> {
    if (!this.config.signupConfirmEmail) return true;
    const confirmed = await tx.query('SELECT FROM tenants WHERE id = $1 AND email_confirmed_at IS NOT NULL', [
      tenantId,
    ]);
    return confirmed.length > 0;
  }

  /** The row lock counts simultaneous mails one by one. It is held until the transaction ends: lock all else before. */
  private async count(tx: Transaction, tenantId: string, max: number, mails = 1): Promise<boolean> {
    const counted = await tx.query(
      `INSERT INTO mail_usage AS m (tenant_id, day, mail_count)
       SELECT $1, $2, $4 WHERE $4::integer <= $3::integer
       ON CONFLICT (tenant_id, day) DO UPDATE SET mail_count = m.mail_count + $4 WHERE m.mail_count <= $3 - $4
       RETURNING mail_count`,
      [tenantId, await this.today(tx, tenantId), max, mails],
    );
    return counted.length > 0;
  }

  /** Deletes counts that are too old, except those of held tenants. */
  async deleteOld(): Promise<void> {
    await this.database.system((tx) =>
      tx.query(`DELETE FROM mail_usage WHERE day < $1 AND ${notHeld('mail_usage.tenant_id')}`, [
        this.clock.in(-KEPT_DAYS * 86_400),
      ]),
    );
  }
}

const emailNotConfirmed = () =>
  forbidden(
    'An owner must confirm their e-mail address before mail goes to customers: open the link that was mailed at the ' +
      'signup, or reset the password.',
    'email_not_confirmed',
  );
