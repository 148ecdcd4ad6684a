import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { Durable } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { mailLanguage } from '../../tenancy/mail/mail-language';
import { MailAllowance } from '../../plans/mail-allowance';
import { PasswordChanged, UserInvited } from '../users/user.events';
import { type MailRecipient, lockMailRecipient } from '../mail/mail-recipient';
import { CHANGED_TEXTS, INVITATION_TEXTS, RESET_TEXTS, SET_TEXTS } from './password-mail.texts';
import { type PasswordTokenHolder, PasswordTokens } from './password-tokens';
import { StaffMail } from '../mail/staff-mail';

/** Also the age after which a queued reset mail is dropped: the user has stopped waiting for it. */
const RESET_SECONDS = 1800;
const INVITATION_SECONDS = 7 * 86_400;

const RESET_QUEUE = 'mail-password-reset';

interface ResetJob {
  /** Null when the account does not exist: the job is queued all the same, so that timing reveals nothing. */
  holder: PasswordTokenHolder | null;
  requested_at: string;
}

/** A kind of mail that contains a link with a token. */
interface LinkMail {
  ttlSeconds: number;
  texts: typeof RESET_TEXTS;
  /** Whether only users without a password get it. */
  firstOnly: boolean;
  /** Whether anyone can request it. Invitations are counted when a manager requests them. */
  isPublic: boolean;
}

interface PreparedMail {
  recipient: MailRecipient;
  token: string;
  /** Whether the mail was counted against the tenant's allowance. */
  isCounted: boolean;
}

const RESET: LinkMail = { ttlSeconds: RESET_SECONDS, texts: RESET_TEXTS, firstOnly: false, isPublic: true };
const INVITATION: LinkMail = {
  ttlSeconds: INVITATION_SECONDS,
  texts: INVITATION_TEXTS,
  firstOnly: true,
  isPublic: false,
};

/**
 * Sends the mails about passwords from durable jobs. A job contains only the user; the token is created when
 * the mail is sent, so that it is stored nowhere in clear text.
 */
@Injectable()
export class PasswordMails implements OnModuleInit {
  private readonly logger = new Logger(PasswordMails.name);

  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly staffMail: StaffMail,
    private readonly allowance: MailAllowance,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ResetJob>(RESET_QUEUE, (job) => this.sendReset(job), { isOutbound: true });
  }

  /** Queues a reset mail. @param holder null queues a job that sends nothing */
  enqueueReset(tx: Transaction, holder: PasswordTokenHolder | null): Promise<void> {
    const job: ResetJob = { holder, requested_at: this.clock.now().toISOString() };
    return this.jobs.enqueue(tx, RESET_QUEUE, job);
  }

  private async sendReset({ holder, requested_at }: ResetJob): Promise<void> {
    const age = this.clock.now().getTime() - Date.parse(requested_at);
    if (!holder || age > RESET_SECONDS * 1000) return;
    await this.sendLink(holder, RESET);
  }

  @Durable(UserInvited, 'mail-invitation', { isOutbound: true })
  async sendInvitation({ tenant_id, subject_id }: UserInvited): Promise<void> {
    await this.sendLink({ tenant_id, user_id: subject_id }, INVITATION);
  }

  @Durable(PasswordChanged, 'mail-password-changed', { isOutbound: true })
  async sendChangeNotice({ tenant_id, subject_id, first, by }: PasswordChanged): Promise<void> {
    const isByManager = by === 'manager';
    if (first && !isByManager) return;
    const recipient = await this.database.tenant(tenant_id, (tx) => lockMailRecipient(tx, subject_id));
    if (!recipient) return;
    const texts = isByManager ? SET_TEXTS : CHANGED_TEXTS;
    const text = texts[mailLanguage(recipient.language)](recipient);
    await this.staffMail.deliver(recipient, text);
  }

  private async sendLink(holder: PasswordTokenHolder, mail: LinkMail): Promise<void> {
    const prepared = await this.prepare(holder, mail);
    if (!prepared) return;
    const { recipient, token } = prepared;
    const language = mailLanguage(recipient.language);
    const url = `${this.config.publicUrl}/reset-password?token=${token}&lang=${language}`;
    let delivered = false;
    try {
      delivered = await this.staffMail.deliver(recipient, mail.texts[language](recipient), url);
    } finally {
      if (!delivered) await this.withdraw(holder, prepared);
    }
  }

  /** Reads the address and issues the token under one row lock: a later address change discards the token. */
  private prepare(
    holder: PasswordTokenHolder,
    { ttlSeconds, firstOnly, isPublic }: LinkMail,
  ): Promise<PreparedMail | undefined> {
    const { tenant_id, user_id } = holder;
    return this.database.tenant(tenant_id, async (tx) => {
      const recipient = await lockMailRecipient(tx, user_id);
      if (!recipient || (firstOnly && recipient.has_password)) return undefined;
      const token = await this.tokens.issue(tx, holder, ttlSeconds);
      if (!token) {
        this.logger.warn(
          `User ${user_id} already has the maximum of valid password links, so none was mailed.`,
        );
        return undefined;
      }
      const isCounted = isPublic && !recipient.is_address_confirmed;
      // Last, because the allowance's row stays locked.
      if (!isCounted || (await this.allowance.consumeForUnconfirmed(tx, tenant_id))) {
        return { recipient, token, isCounted };
      }
      this.logger.warn(
        `The allowance of mails is used up, so no password link was mailed to user ${user_id}.`,
      );
      await this.tokens.withdraw(tx, token);
      return undefined;
    });
  }

  /** Undoes `prepare` for a mail that could not be sent: a retry issues a new token and is counted again. */
  private async withdraw(
    { tenant_id }: PasswordTokenHolder,
    { token, isCounted }: PreparedMail,
  ): Promise<void> {
    await this.database.tenant(tenant_id, async (tx) => {
      await this.tokens.withdraw(tx, token);
      if (isCounted) await this.allowance.release(tx, tenant_id);
    });
  }
}
