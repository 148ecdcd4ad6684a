import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database';
import type { Transaction } from '../../../platform/database/transaction';
import { Jobs } from '../../../platform/jobs/jobs';
import { Mailer } from '../../../platform/mail/mailer';
import { ResumeLinks } from '../resume-links';
import { composeCallbackMail, type MailedCallback } from './compose-callback-mail';

const MAIL_QUEUE = 'mail-callback';

/** Names no address: the mail goes to the one that is stored when it is sent. */
interface CallbackMailJob {
  tenant_id: string;
  call_id: string;
  /** The number of the invitation. */
  attempt: number;
}

type MailedRow = MailedCallback & { token: string };

/** The invitation that still stands: the customer has neither returned nor left, and no later one was made. */
const SELECT_MAILED = `SELECT b.email, c.customer_name, c.department_name, c.callback_invited_until AS invited_until,
    l.token, t.name AS company, t.language, t.timezone, t.primary_color, t.logo_url
  FROM callbacks b JOIN calls c ON c.tenant_id = b.tenant_id AND c.id = b.call_id
    JOIN tenants t ON t.id = c.tenant_id AND t.suspended_at IS NULL
    JOIN access_links l ON l.tenant_id = c.tenant_id AND l.id = c.access_link_id
  WHERE b.tenant_id = $1 AND b.call_id = $2 AND b.attempts = $3 AND b.channel = 'email' AND b.email IS NOT NULL
    AND c.status = 'queued' AND c.callback_status = 'invited'`;

/** Mails invitations to the customers who asked for a callback by e-mail. */
@Injectable()
export class CallbackMailWorker implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly links: ResumeLinks,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<CallbackMailJob>(MAIL_QUEUE, (job) => this.send(job), { isOutbound: true });
  }

  /** The mail is sent after the transaction commits. */
  enqueue(tx: Transaction, job: CallbackMailJob): Promise<void> {
    return this.jobs.enqueue(tx, MAIL_QUEUE, job);
  }

  private async send({ tenant_id, call_id, attempt }: CallbackMailJob): Promise<void> {
    const mailed = await this.database.tenant(tenant_id, (tx) =>
      tx.one<MailedRow>(SELECT_MAILED, [tenant_id, call_id, attempt]),
    );
    if (!mailed) return;
    const { token, ...callback } = mailed;
    const url = this.links.urlOf(call_id, token);
    await this.mailer.deliver(composeCallbackMail(callback, url, this.config));
  }
}
