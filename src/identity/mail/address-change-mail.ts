import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { Jobs } from '../../platform/jobs/jobs';
import { mailLanguage } from '../../tenancy/mail/mail-language';
import { SecretBox } from '../../platform/secrets/secret-box';
import { SecretResealer } from '../../platform/secrets/secret-resealer';
import { MailAllowance } from '../../plans/mail-allowance';
import { ADDRESS_CHANGED_TEXTS } from './address-changed.texts';
import { lockMailRecipient } from './mail-recipient';
import { StaffMail } from './staff-mail';

const QUEUE = 'mail-address-changed';

interface AccountHolder {
  tenant_id: string;
  user_id: string;
}

interface AddressChangeJob {
  holder: AccountHolder;
  /** The former address, encrypted: completed jobs are kept for a while, and no other row still has it. */
  sealed_address: string;
}

const sealPurpose = (userId: string) => `former address of ${userId}`;

/** Notifies the former e-mail address of an account that the account has a new one. */
@Injectable()
export class AddressChangeMail implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly resealing: SecretResealer,
    private readonly staffMail: StaffMail,
    private readonly jobs: Jobs,
    private readonly allowance: MailAllowance,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<AddressChangeJob>(QUEUE, (job) => this.send(job), { isOutbound: true });
    this.resealing.registerJobs<AddressChangeJob>({
      queue: QUEUE,
      field: 'sealed_address',
      purpose: ({ holder }) => sealPurpose(holder.user_id),
    });
  }

  /**
   * Queues the mail as part of the transaction that changes the address. Call it last: the allowance's row stays locked.
   * @throws 403 plan_limit when the tenant has used up its daily allowance of mails, so that the change is refused
   */
  async enqueue(tx: Transaction, holder: AccountHolder, formerAddress: string): Promise<void> {
    await this.allowance.ensureForStaff(tx, holder.tenant_id);
    const sealed_address = this.secrets.seal(formerAddress, sealPurpose(holder.user_id));
    const job: AddressChangeJob = { holder, sealed_address };
    await this.jobs.enqueue(tx, QUEUE, job);
  }

  private async send({ holder, sealed_address }: AddressChangeJob): Promise<void> {
    const { tenant_id, user_id } = holder;
    const recipient = await this.database.tenant(tenant_id, (tx) => lockMailRecipient(tx, user_id));
    if (!recipient) return;
    const email = this.secrets.open(sealed_address, sealPurpose(user_id));
    const text = ADDRESS_CHANGED_TEXTS[mailLanguage(recipient.language)](recipient);
    await this.staffMail.deliver({ ...recipient, email }, text);
  }
}
