import { Inject, Injectable } from '@nestjs/common';
import { type MailRecipient, lockMailRecipient } from '../identity/mail/mail-recipient';
import { PasswordMails } from '../identity/password-reset/password-mails';
import { type PasswordTokenHolder, PasswordTokens } from '../identity/password-reset/password-tokens';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { mailLanguage } from '../platform/mail/mail-language';
import { enterTenant } from './find-tenant';
import { findUser } from './find-user';
import { Refusal } from './refusal';

/** As long as a mailed one. */
const LINK_SECONDS = 1800;

export interface ResetResult {
  tenant: string;
  email: string;
  /** Null when it is mailed. */
  url: string | null;
  expires_at: string | null;
}

/** Lets a user choose a new password. */
@Injectable()
export class UserPassword {
  constructor(
    private readonly database: Database,
    private readonly mails: PasswordMails,
    private readonly tokens: PasswordTokens,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Has a link mailed by the running service. @throws Refusal */
  mailLink(which: string, email: string): Promise<ResetResult> {
    return this.database.system(async (tx) => {
      const { holder, addressee } = await this.find(tx, which, email);
      await this.mails.enqueueReset(tx, holder);
      return { tenant: addressee.slug, email: addressee.email, url: null, expires_at: null };
    });
  }

  /** Makes a link, good once and for half an hour, for a user who gets no mail. @throws Refusal */
  makeLink(which: string, email: string): Promise<ResetResult> {
    return this.database.system(async (tx) => {
      const { holder, addressee } = await this.find(tx, which, email);
      const token = await this.tokens.issue(tx, holder, LINK_SECONDS);
      const language = mailLanguage(addressee.language);
      return {
        tenant: addressee.slug,
        email: addressee.email,
        url: `${this.config.publicUrl}/reset-password?token=${token}&lang=${language}`,
        expires_at: this.clock.in(LINK_SECONDS).toISOString(),
      };
    });
  }

  /** Finds a user who may be sent a link, behind the lock of their row. */
  private async find(
    tx: Transaction,
    which: string,
    email: string,
  ): Promise<{ holder: PasswordTokenHolder; addressee: MailRecipient }> {
    const { id: tenant_id, slug } = await enterTenant(tx, which);
    const user = await findUser(tx, { id: tenant_id, slug }, email);
    const addressee = await lockMailRecipient(tx, user.id);
    if (!addressee) throw new Refusal(`${email} is not active, or the tenant ${slug} is suspended.`);
    if (await this.tokens.hasMaxValid(tx, user.id)) {
      throw new Refusal(`${email} has five links already that are still good.`);
    }
    return { holder: { tenant_id, user_id: user.id }, addressee };
  }
}
