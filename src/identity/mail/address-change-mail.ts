import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { Jobs } from '../../platform/jobs/jobs';
import { mailLanguage } from '../../platform/mail/mail-language';
import { SecretBox } from '../../platform/secrets/secret-box';
import { lockMailRecipient } from './addressee';
import { ADDRESS_CHANGED_TEXTS } from '../password-reset/password-mail.texts';
import type { PasswordTokenHolder } from '../password-reset/password-tokens';
import { StaffMail } from './staff-mail';

const QUEUE = 'mail-address-changed';

interface AddressChange {
  holder: PasswordTokenHolder;
  /** The address before, sealed: it is nowhere else any more, and rows of jobs are kept for a while. */
  sealed_address: string;
}

const purposeOf = (userId: string) => `former address of ${userId}`;

/** Tells the old address that an account goes by another one now, for whoever did not ask for it. */
@Injectable()
export class AddressChangeMail implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly mails: StaffMail,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<AddressChange>(QUEUE, (change) => this.mail(change));
  }

  announce(tx: Transaction, holder: PasswordTokenHolder, address: string): Promise<void> {
    const sealed_address = this.secrets.seal(address, purposeOf(holder.user_id));
    return this.jobs.enqueue(tx, QUEUE, { holder, sealed_address });
  }

  private async mail({ holder, sealed_address }: AddressChange): Promise<void> {
    const { tenant_id, user_id } = holder;
    const addressee = await this.database.tenant(tenant_id, (tx) => lockMailRecipient(tx, user_id));
    if (!addressee) return;
    const email = this.secrets.open(sealed_address, purposeOf(user_id));
    const text = ADDRESS_CHANGED_TEXTS[mailLanguage(addressee.language)](addressee);
    await this.mails.deliver({ ...addressee, email }, text);
  }
}
