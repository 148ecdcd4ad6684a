import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { AgentStates } from '../agents/agent-states';
import { Offer } from './offer.entity';
import { type OfferCandidate, OfferMade } from './offer.events';

/** What the caller decides about an offer. */
export type NewOffer = Pick<
  Offer,
  'tenant_id' | 'call_id' | 'department_id' | 'user_id' | 'kind' | 'offered_by' | 'note'
>;

/**
 * The agent's state is read again here: the statement sees everything that was committed before their row was locked,
 * the state that was announced last may be older.
 */
const INSERT = `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, offered_by, note, status,
    offered_at, expires_at, available_since)
  SELECT $1, $2, $3, s.user_id, $5, $6, $7, 'pending', $8, $8::timestamptz + make_interval(secs => $9), p.idle_since
  FROM agent_states s JOIN presences p ON p.user_id = s.user_id
  WHERE s.tenant_id = $1 AND s.user_id = $4 AND s.state = 'available' AND s.active
  ON CONFLICT DO NOTHING RETURNING *`;

/** The only place that creates offers. */
@Injectable()
export class MakeOffer {
  constructor(
    private readonly states: AgentStates,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Offers a call to an agent. The caller has locked the call, then the agent's row.
   * @param seconds that the agent has to answer
   * @param candidates the agents among whom this one was selected, the best one first
   * @returns undefined if the agent is not available, or an offer of the call or of the agent is pending
   */
  async insert(
    tx: Transaction,
    offer: NewOffer,
    seconds: number,
    candidates: OfferCandidate[] = [],
  ): Promise<Offer | undefined> {
    const { tenant_id, call_id, department_id, user_id, kind, offered_by, note } = offer;
    const now = this.clock.now();
    const inserting = tx.one<Offer>(INSERT, [
      tenant_id,
      call_id,
      department_id,
      user_id,
      kind,
      offered_by,
      note,
      now,
      seconds,
    ]);
    // Also after an offer that was not made: then the state that was announced is corrected.
    const [made] = await settleAll([inserting, this.states.announce(tx, tenant_id, [user_id])]);
    if (made) await this.events.record(tx, new OfferMade(made, now, candidates));
    return made;
  }
}
