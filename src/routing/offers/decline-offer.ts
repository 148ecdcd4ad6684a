import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from '../agents/agent-states';
import { EndOffers } from './end-offers';
import { type OfferDto, toOfferDto } from './offer.dto';
import { excludeAgent } from './offer-exclusions';
import { OwnOffers } from './own-offers';

/** Declines an offer: the call keeps its place, and the agent stays available for others. */
@Injectable()
export class DeclineOffer {
  constructor(
    private readonly database: Database,
    private readonly locks: AgentLocks,
    private readonly states: AgentStates,
    private readonly ends: EndOffers,
    private readonly own: OwnOffers,
    private readonly clock: Clock,
  ) {}

  /** @throws 404 for an offer of somebody else; 422 offer_ended */
  decline(user: Principal, offerId: string, reason: string | null): Promise<OfferDto> {
    const { tenant_id, user_id } = user;
    return this.database.tenant(tenant_id, async (tx) => {
      this.locks.lock(tx, [user_id]);
      const [offer] = await this.ends.end(tx, 'decline', this.own.filter(user, offerId), reason);
      if (!offer) throw await this.own.refusal(tx, user, offerId);
      excludeAgent(tx, offer, this.clock.now());
      await this.states.announce(tx, tenant_id, [user_id]);
      return toOfferDto(offer);
    });
  }
}
