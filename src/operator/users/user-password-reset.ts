import { Inject, Injectable } from '@nestjs/common';
import { type MailRecipient, lockMailRecipient } from '../../identity/mail/mail-recipient';
import { PasswordMails } from '../../identity/password-reset/password-mails';
import { type PasswordTokenHolder, PasswordTokens } from '../../identity/password-reset/password-tokens';
import { PasswordResetRequested } from '../../identity/users/user.events';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { mailLanguage } from '../../tenancy/mail/mail-language';
import { scopeToTenant } from '../tenants/scope-to-tenant';
import { findUser } from './find-user';
import { CommandError } from '../command-error';

/** The same as for a mailed link. */
const LINK_TTL_SECONDS = 1800;

export interface PasswordResetResult {
  tenant: string;
  email: string;
  /** Null if it is mailed. */
  url: string | null;
  expires_at: string | null;
}

/** Sends or creates links by which a user chooses a new password. */
@Injectable()
export class UserPasswordReset {
  constructor(
    private readonly database: Database,
    private readonly mails: PasswordMails,
    private readonly tokens: PasswordTokens,
    private readonly events: EventBus,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Enqueues a mail with a link, which the running service sends. @throws CommandError */
  mailLink(slugOrId: string, email: string): Promise<PasswordResetResult> {
    return this.database.system(async (tx) => {
      const { holder, addressee } = await this.findRecipient(tx, slugOrId, email);
      await this.mails.enqueueReset(tx, holder);
      return { tenant: addressee.slug, email: addressee.email, url: null, expires_at: null };
    });
  }

  /** Creates a link for a user who cannot receive mail: valid once, for half an hour. @throws CommandError */
  createLink(slugOrId: string, email: string): Promise<PasswordResetResult> {
    return this.database.system(async (tx) => {
      const { holder, addressee } = await this.findRecipient(tx, slugOrId, email);
      const token = await this.tokens.issue(tx, holder, LINK_TTL_SECONDS);
      const language = mailLanguage(addressee.language);
      return {
        tenant: addressee.slug,
        email: addressee.email,
        url: `${this.config.publicUrl}/reset-password?token=${token}&lang=${language}`,
        expires_at: this.clock.in(LINK_TTL_SECONDS).toISOString(),
      };
    });
  }

  /** Finds and locks a user who may receive a link, and records that one was asked for. */
  private async findRecipient(
    tx: Transaction,
    slugOrId: string,
    email: string,
  ): Promise<{ holder: PasswordTokenHolder; addressee: MailRecipient }> {
    const { id: tenant_id, slug } = await scopeToTenant(tx, slugOrId);
    const user = await findUser(tx, { id: tenant_id, slug }, email);
    const addressee = await lockMailRecipient(tx, user.id);
    if (!addressee) throw new CommandError(`${email} is not active, or the tenant ${slug} is suspended.`);
    if (await this.tokens.hasMaxValid(tx, user.id)) {
      throw new CommandError(`${email} already has five valid links.`);
    }
    const at = this.clock.now().toISOString();
    await this.events.record(tx, new PasswordResetRequested(tenant_id, user.id, at));
    return { holder: { tenant_id, user_id: user.id }, addressee };
  }
}
