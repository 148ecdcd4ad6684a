import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import type { Offer } from './offer.entity';
import { type OfferCandidate, OfferMade } from './offer.events';

/** What is offered to whom. */
export type NewOffer = Pick<
  Offer,
  'tenant_id' | 'call_id' | 'department_id' | 'user_id' | 'kind' | 'offered_by' | 'note'
>;

/** Offers calls to agents: the only writer of new offers. */
@Injectable()
export class MakeOffer {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Offers a call to an agent who is available. It locks nothing: the caller has locked the call, then the row of the agent.
   * @param seconds how long the agent has to answer
   * @param candidates the agents who could have got the offer, the best one first
   * @returns undefined if the agent is not available, or has another pending offer, or the call has one
   */
  async insert(
    tx: Transaction,
    { tenant_id, call_id, department_id, user_id, kind, offered_by, note }: NewOffer,
    seconds: number,
    candidates: OfferCandidate[] = [],
  ): Promise<Offer | undefined> {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + seconds * 1000);
    const made = await tx.one<Offer>(
      `INSERT INTO offers (tenant_id, call_id, department_id, user_id, kind, offered_by, note, status, offered_at,
         expires_at, available_since)
       SELECT s.tenant_id, $2::uuid, $3::uuid, s.user_id, $5::text, $6::uuid, $7::text, 'pending', $8::timestamptz,
         $9::timestamptz, p.idle_since
       FROM agent_states s JOIN presences p ON p.user_id = s.user_id
       WHERE s.tenant_id = $1 AND s.user_id = $4 AND s.active AND s.state = 'available'
       ON CONFLICT DO NOTHING RETURNING *`,
      [tenant_id, call_id, department_id, user_id, kind, offered_by, note, now, expiresAt],
    );
    if (made) await this.events.record(tx, new OfferMade(made, now, candidates));
    return made;
  }
}
