import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { Durable } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { mailLanguage } from '../../platform/mail/mail-language';
import { PasswordChanged, UserInvited } from '../users/user.events';
import { type MailRecipient, lockMailRecipient } from '../mail/mail-recipient';
import { CHANGED_TEXTS, INVITATION_TEXTS, RESET_TEXTS } from './password-mail.texts';
import { type PasswordTokenHolder, PasswordTokens } from './password-tokens';
import { StaffMail } from '../mail/staff-mail';

/** Whoever asked for a new password waits for it now; a mail that comes later than this only puzzles. */
const RESET_SECONDS = 1800;
const INVITATION_SECONDS = 7 * 86_400;

const RESET_QUEUE = 'mail-password-reset';

interface ResetRequest {
  /** Null for an account that does not exist: asking for it costs the same. */
  holder: PasswordTokenHolder | null;
  requested_at: string;
}

/** A kind of mail with a link. */
interface LinkMail {
  ttl: number;
  texts: typeof RESET_TEXTS;
  /** Only to users who have no password yet. */
  first: boolean;
}

const RESET: LinkMail = { ttl: RESET_SECONDS, texts: RESET_TEXTS, first: false };
const INVITATION: LinkMail = { ttl: INVITATION_SECONDS, texts: INVITATION_TEXTS, first: true };

/**
 * The mails about passwords, sent by durable jobs. A job names the user and nothing else: the token is made
 * when the mail is, so it is nowhere but in the mail.
 */
@Injectable()
export class PasswordMails implements OnModuleInit {
  private readonly logger = new Logger(PasswordMails.name);

  constructor(
    private readonly database: Database,
    private readonly tokens: PasswordTokens,
    private readonly mails: StaffMail,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ResetRequest>(RESET_QUEUE, (request) => this.mailReset(request));
  }

  /** @param holder null does the same work for nobody */
  requestReset(tx: Transaction, holder: PasswordTokenHolder | null): Promise<void> {
    const request: ResetRequest = { holder, requested_at: this.clock.now().toISOString() };
    return this.jobs.enqueue(tx, RESET_QUEUE, request);
  }

  private async mailReset({ holder, requested_at }: ResetRequest): Promise<void> {
    const age = this.clock.now().getTime() - Date.parse(requested_at);
    if (!holder || age > RESET_SECONDS * 1000) return;
    await this.mailLink(holder, RESET);
  }

  @Durable(UserInvited, 'mail-invitation')
  async mailInvitation({ tenant_id, subject_id }: UserInvited): Promise<void> {
    await this.mailLink({ tenant_id, user_id: subject_id }, INVITATION);
  }

  @Durable(PasswordChanged, 'mail-password-changed')
  async mailChanged({ tenant_id, subject_id, first }: PasswordChanged): Promise<void> {
    if (first) return;
    const addressee = await this.database.tenant(tenant_id, (tx) => lockMailRecipient(tx, subject_id));
    if (!addressee) return;
    const text = CHANGED_TEXTS[mailLanguage(addressee.language)](addressee);
    await this.mails.deliver(addressee, text);
  }

  private async mailLink(holder: PasswordTokenHolder, mail: LinkMail): Promise<void> {
    const prepared = await this.prepare(holder, mail);
    if (!prepared) return;
    const { addressee, token } = prepared;
    const language = mailLanguage(addressee.language);
    const url = `${this.config.publicUrl}/reset-password?token=${token}&lang=${language}`;
    let delivered = false;
    try {
      delivered = await this.mails.deliver(addressee, mail.texts[language](addressee), url);
    } finally {
      // The next try makes a token of its own; nobody has this one.
      if (!delivered) await this.tokens.withdraw(holder, token);
    }
  }

  /** Reads the address behind the lock under which the token is made: changing it makes the token worthless. */
  private prepare(
    holder: PasswordTokenHolder,
    { ttl, first }: LinkMail,
  ): Promise<{ addressee: MailRecipient; token: string } | undefined> {
    return this.database.tenant(holder.tenant_id, async (tx) => {
      const addressee = await lockMailRecipient(tx, holder.user_id);
      if (!addressee || (first && addressee.has_password)) return undefined;
      const token = await this.tokens.issue(tx, holder, ttl);
      if (token) return { addressee, token };
      this.logger.warn(`User ${holder.user_id} has enough links to choose a password: none was mailed.`);
      return undefined;
    });
  }
}
