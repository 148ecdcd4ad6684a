import { Injectable } from '@nestjs/common';
import { CallbackChanged } from '../../calls/callbacks/callback.events';
import { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from '../agents/agent-states';
import { EndOffers } from '../offers/end-offers';

/**
 * Withdraws the offer of a call whose customer leaves until they are called back. The transaction has locked the call, so
 * no other offer of it is made meanwhile, and none afterwards, because the customer is absent in the line.
 */
@Injectable()
export class WithdrawOffersOfAbsent {
  constructor(
    private readonly locks: AgentLocks,
    private readonly ends: EndOffers,
    private readonly states: AgentStates,
  ) {}

  @InTransaction(CallbackChanged)
  async onChanged({ tenant_id, call_id, callback_status }: CallbackChanged, tx: Transaction): Promise<void> {
    if (callback_status !== 'requested') return;
    this.locks.lockWithOffered(tx, [], { tenantId: tenant_id, ids: [call_id] });
    const ofCall = new Filter().and('o.tenant_id = ?', tenant_id).and('o.call_id = ?', call_id);
    const withdrawn = await this.ends.withdraw(tx, ofCall, 'customer_absent');
    const agents = withdrawn.map(({ user_id }) => user_id);
    await this.states.announceLocked(tx, tenant_id, agents);
  }
}
