import { createHash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { unprocessable } from '../../platform/http/errors/api-error';
import { Jobs } from '../../platform/jobs/jobs';
import { mailLanguage } from '../../tenancy/mail/mail-language';
import { TokenError } from '../../platform/tokens/token-keys';
import { TokensService } from '../../platform/tokens/tokens.service';
import { TenantsService } from '../../tenancy/tenants.service';
import { lockMailRecipient } from '../mail/mail-recipient';
import { StaffMail } from '../mail/staff-mail';
import { CONFIRMATION_TEXTS } from './confirmation-mail.texts';

const QUEUE = 'mail-email-confirmation';
const AUDIENCE = 'email_confirmation';
const TTL_SECONDS = 7 * 86_400;

interface Owner {
  tenant_id: string;
  user_id: string;
}

interface ConfirmationClaims {
  sub: string;
  tid: string;
  /** Makes the token invalid when the owner's address changes. */
  address_hash: string;
}

/** Proves that a company's owner receives mail at the address given at the signup. */
@Injectable()
export class EmailConfirmation implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsService,
    private readonly tokens: TokensService,
    private readonly mails: StaffMail,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<Owner>(QUEUE, (owner) => this.send(owner), { isOutbound: true });
  }

  /** Mails a link to the owner of a new company; without SIGNUP_CONFIRM_EMAIL the company counts as confirmed. */
  async request(tx: Transaction, owner: Owner): Promise<void> {
    if (this.config.signupConfirmEmail) await this.jobs.enqueue(tx, QUEUE, owner);
    else await this.tenants.confirmEmail(tx, owner.tenant_id);
  }

  /** Confirms the address that a token was mailed to. Repeating it changes nothing. @throws 422 invalid_token */
  async confirm(token: string): Promise<void> {
    const { sub, tid, address_hash } = this.read(token);
    await this.database.tenant(tid, async (tx) => {
      const user = await tx.one<{ email: string }>('SELECT email FROM users WHERE id = $1 AND active', [sub]);
      if (!user || hashOf(user.email) !== address_hash) throw invalidToken();
      await this.tenants.confirmEmail(tx, tid);
      // The address may have changed since it was read: a lock of the user must not come before that of the tenant.
      await tx.query('UPDATE users SET email_confirmed_at = $3 WHERE id = $1 AND email = $2', [
        sub,
        user.email,
        this.clock.now(),
      ]);
    });
  }

  private async send({ tenant_id, user_id }: Owner): Promise<void> {
    const recipient = await this.database.tenant(tenant_id, (tx) => lockMailRecipient(tx, user_id));
    if (!recipient) return;
    const claims: ConfirmationClaims = {
      sub: user_id,
      tid: tenant_id,
      address_hash: hashOf(recipient.email),
    };
    const token = this.tokens.sign(AUDIENCE, claims, TTL_SECONDS);
    const language = mailLanguage(recipient.language);
    const url = `${this.config.publicUrl}/confirm-email?token=${token}&lang=${language}`;
    await this.mails.deliver(recipient, CONFIRMATION_TEXTS[language](recipient), url);
  }

  private read(token: string): ConfirmationClaims {
    try {
      return this.tokens.verify<ConfirmationClaims>(AUDIENCE, token);
    } catch (error) {
      if (error instanceof TokenError) throw invalidToken();
      throw error;
    }
  }
}

const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url');

const invalidToken = () => unprocessable('invalid_token', 'This link is not valid or has expired.');
