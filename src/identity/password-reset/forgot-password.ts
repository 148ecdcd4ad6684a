import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { Clock } from '../../platform/clock/clock';
import { FailedLoginRecorder } from '../sessions/failed-login-recorder';
import { LoginAccountFinder } from '../sessions/login-account-finder';
import { PasswordResetRequested } from '../users/user.events';
import type { ForgotPasswordDto } from './password-reset.dto';
import { PasswordMails } from './password-mails';

@Injectable()
export class ForgotPassword {
  constructor(
    private readonly database: Database,
    private readonly accounts: LoginAccountFinder,
    private readonly mails: PasswordMails,
    private readonly recorder: FailedLoginRecorder,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a mail with a link for each matching account. Without any it does the same work, so that the
   * response time does not reveal which accounts exist.
   */
  async request({ email, tenant }: ForgotPasswordDto): Promise<void> {
    const { accounts } = await this.accounts.find(email, tenant, null);
    const holders = accounts.map(({ id, tenant_id }) => ({ tenant_id, user_id: id }));
    await this.database.system(async (tx) => {
      for (const holder of holders.length > 0 ? holders : [null]) await this.mails.enqueueReset(tx, holder);
    });
    const at = this.clock.now().toISOString();
    for (const { tenant_id, id } of accounts) {
      this.recorder.start(new PasswordResetRequested(tenant_id, id, at));
    }
  }
}
