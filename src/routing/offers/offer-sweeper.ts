import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { DeadlineSweeper } from '../../calls/deadlines/deadline-sweeper';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { AgentStates } from '../agents/agent-states';
import { ChooseState } from '../agents/choose-state';
import { EndOffers } from './end-offers';
import type { Offer } from './offer.entity';
import { excludeAgent } from './offer-exclusions';

const SWEEP_INTERVAL_MS = 500;

/** Ends offers that their agents did not answer in time, and those whose customer has lost the connection. */
@Injectable()
export class OfferSweeper extends DeadlineSweeper {
  constructor(
    database: Database,
    clock: Clock,
    intervals: TaskIntervals,
    private readonly ends: EndOffers,
    private readonly states: AgentStates,
    private readonly choice: ChooseState,
  ) {
    super('offers', intervals.of(SWEEP_INTERVAL_MS), database, clock);
  }

  override sweep(): Promise<void> {
    return runAsReservedBackgroundWork(() => super.sweep());
  }

  protected async settle(tx: Transaction, id: string): Promise<void> {
    const agent = await tx.one<Pick<Offer, 'tenant_id' | 'user_id'>>(
      `SELECT p.tenant_id, p.user_id FROM offers o JOIN presences p ON p.tenant_id = o.tenant_id AND p.user_id = o.user_id
       WHERE o.id = $1 FOR NO KEY UPDATE OF p SKIP LOCKED`,
      [id],
    );
    if (!agent) return;
    const now = this.clock.now();
    const offer = () => new Filter().and('o.id = ?', id);
    const [absent] = await this.ends.withdraw(
      tx,
      // What happens first, ends the offer.
      offer().and('o.customer_deadline <= ? AND o.customer_deadline < o.expires_at', now),
      'customer_absent',
    );
    const [expired] = absent ? [] : await this.ends.end(tx, 'expire', offer());
    if (expired) {
      excludeAgent(tx, expired, now);
      if (expired.kind !== 'transfer')
        await this.choice.pauseAfterMissedOffer(tx, expired.tenant_id, expired.user_id);
    }
    if (absent || expired) await this.states.announceLocked(tx, agent.tenant_id, [agent.user_id]);
  }
}
