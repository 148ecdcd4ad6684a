import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';

/** Whether somebody receives `callback.due` for the tenant. */
type SubscriberCheck = (tx: Transaction, tenantId: string) => Promise<boolean>;

/** Knows whether a company receives `callback.due`. The context that delivers it registers the check. */
@Injectable()
export class CallbackSubscribers {
  private check: SubscriberCheck = async () => false;

  /** Call it while the application starts. */
  register(check: SubscriberCheck): void {
    this.check = check;
  }

  exist(tx: Transaction, tenantId: string): Promise<boolean> {
    return this.check(tx, tenantId);
  }
}
