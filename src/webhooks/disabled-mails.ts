import { Injectable, type OnModuleInit } from '@nestjs/common';
import { lockMailRecipient } from '../identity/mail/mail-recipient';
import { StaffMail } from '../identity/mail/staff-mail';
import { Database } from '../platform/database/database';
import { Durable } from '../platform/events/listeners';
import { Jobs } from '../platform/jobs/jobs';
import { mailLanguage } from '../platform/mail/mail-language';
import type { DisableReason } from './deliveries/delivery.rules';
import { DISABLED_MAIL_TEXTS } from './disabled-mail.texts';
import { WebhookDisabled } from './webhook.events';

const QUEUE = 'mail-webhook-switched-off';

interface MailJob {
  tenant_id: string;
  user_id: string;
  webhook_id: string;
  reason: DisableReason;
}

/** Tells everybody who manages webhooks that one was switched off. */
@Injectable()
export class WebhookDisabledMails implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mails: StaffMail,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<MailJob>(QUEUE, (job) => this.mail(job));
  }

  /** A job each: an address that takes nothing keeps no colleague from hearing of it. */
  @Durable(WebhookDisabled, 'webhook-switched-off')
  async onSwitchedOff({ tenant_id, subject_id, reason }: WebhookDisabled): Promise<void> {
    await this.database.tenant(tenant_id, async (tx) => {
      const managers = await tx.query<{ id: string }>(
        `SELECT id FROM users WHERE tenant_id = $1 AND active AND role IN ('manager', 'owner')`,
        [tenant_id],
      );
      for (const { id } of managers) {
        const job: MailJob = { tenant_id, user_id: id, webhook_id: subject_id, reason };
        await this.jobs.enqueue(tx, QUEUE, job);
      }
    });
  }

  private async mail({ tenant_id, user_id, webhook_id, reason }: MailJob): Promise<void> {
    const found = await this.database.tenant(tenant_id, async (tx) => {
      const addressee = await lockMailRecipient(tx, user_id);
      const webhook = await tx.one<{ url: string }>(
        'SELECT url FROM webhooks WHERE id = $1 AND switched_off_at IS NOT NULL',
        [webhook_id],
      );
      return addressee && webhook && { addressee, url: webhook.url };
    });
    // Activated again, or deleted, before the mail was sent.
    if (!found) return;
    const { addressee, url } = found;
    const text = DISABLED_MAIL_TEXTS[mailLanguage(addressee.language)]({ name: addressee.name, url, reason });
    await this.mails.deliver(addressee, text);
  }
}
