import { Injectable } from '@nestjs/common';
import { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { AgentStateChanged, PresenceChosen } from '../agents/agent.events';
import { EndOffers } from './end-offers';
import { endExclusions } from './offer-exclusions';

const offersOf = ({ tenant_id, subject_id }: AgentStateChanged | PresenceChosen) =>
  new Filter().and('o.tenant_id = ?', tenant_id).and('o.user_id = ?', subject_id);

/** What changes of an agent's state mean for their offers. The row of the agent is locked when they are recorded. */
@Injectable()
export class OfferListeners {
  constructor(private readonly ends: EndOffers) {}

  /** The choice is recorded before the state is announced, so that the agent is paused at once. */
  @InTransaction(PresenceChosen)
  async onChosen(event: PresenceChosen, tx: Transaction): Promise<void> {
    if (event.chosen === 'away') await this.ends.withdraw(tx, offersOf(event), 'agent_paused');
  }

  @InTransaction(AgentStateChanged)
  async onStateChanged(event: AgentStateChanged, tx: Transaction): Promise<void> {
    if (event.previous_state === 'paused') endExclusions(tx, event.tenant_id, event.subject_id);
    if (event.previous_state === 'offered' && event.state === 'offline') {
      await this.ends.withdraw(tx, offersOf(event), 'agent_offline');
    }
  }
}
