import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { lockMailRecipient } from '../identity/mail/mail-recipient';
import { StaffMail } from '../identity/mail/staff-mail';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import { Durable } from '../platform/events/listeners';
import { Jobs } from '../platform/jobs/jobs';
import { mailLanguage } from '../tenancy/mail/mail-language';
import { withoutUrls } from '../tenancy/mail/without-urls';
import { RateLimiter } from '../platform/rate-limit/rate-limiter';
import { MailAllowance } from '../plans/mail-allowance';
import { DISABLED_MAIL_TEXTS } from './webhook-disabled-mail.texts';
import { type DisableReason, WebhookDisabled } from './webhook.events';

/** Waiting jobs are stored under this name and the listener's below, so renaming either would lose them. */
const QUEUE = 'mail-webhook-disabled';

interface MailJob {
  tenant_id: string;
  user_id: string;
  webhook_id: string;
  reason: DisableReason;
}

/**
 * Mails the managers and owners of a tenant when a webhook is disabled: managers within the tenant's daily allowance, because
 * the tenant chooses the receiver, which can cause the mail at will. Owners get a few a day beyond it, so that strangers who use up
 * the allowance cannot hide it from them.
 */
@Injectable()
export class WebhookDisabledMails implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mails: StaffMail,
    private readonly allowance: MailAllowance,
    private readonly limiter: RateLimiter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<MailJob>(QUEUE, (job) => this.mail(job), { isOutbound: true });
  }

  /**
   * Each recipient has a job of its own, so that an address that fails does not affect the others. Users who have not
   * accepted their invitation are left out.
   */
  @Durable(WebhookDisabled, 'webhook-disabled')
  async onDisabled({ tenant_id, subject_id, reason }: WebhookDisabled): Promise<void> {
    await this.database.tenant(tenant_id, async (tx) => {
      const managers = await tx.query<{ id: string; role: string }>(
        `SELECT id, role FROM users WHERE tenant_id = $1 AND active AND password_hash IS NOT NULL
           AND role IN ('manager', 'owner') ORDER BY role = 'owner' DESC, inserted_at`,
        [tenant_id],
      );
      for (const { id, role } of managers) {
        if (!(await this.allowance.consumeForStaff(tx, tenant_id))) {
          if (role !== 'owner') return;
          if (!(await this.limiter.admits('webhook_disabled', id))) continue;
          this.allowance.countUnlimited(tx, tenant_id);
        }
        const job: MailJob = { tenant_id, user_id: id, webhook_id: subject_id, reason };
        await this.jobs.enqueue(tx, QUEUE, job);
      }
    });
  }

  private async mail({ tenant_id, user_id, webhook_id, reason }: MailJob): Promise<void> {
    const found = await this.database.tenant(tenant_id, async (tx) => {
      const addressee = await lockMailRecipient(tx, user_id);
      const webhook = await tx.one<{ url: string }>(
        'SELECT url FROM webhooks WHERE id = $1 AND disabled_at IS NOT NULL',
        [webhook_id],
      );
      return addressee && webhook && { addressee, url: webhook.url };
    });
    // The webhook was activated or deleted, or the recipient left, before the mail was sent.
    if (!found) return;
    const { addressee } = found;
    const { language } = addressee;
    // The tenant chose the URL, so the mail contains no link to it.
    const host = withoutUrls(new URL(found.url).hostname);
    const days = this.config.retentionDays.deliveries;
    const text = DISABLED_MAIL_TEXTS[mailLanguage(language)]({ host, reason, days });
    await this.mails.deliver(addressee, text);
  }
}
