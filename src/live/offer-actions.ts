import { Injectable } from '@nestjs/common';
import type { CallDetailsDto } from '../calls/call-details.dto';
import type { Principal } from '../platform/access/principal';
import { forbidden } from '../platform/http/errors/api-error';
import { AcceptOffer } from '../routing/offers/accept-offer';
import { DeclineOffer } from '../routing/offers/decline-offer';
import type { OfferDto } from '../routing/offers/offer.dto';
import type { LiveSocket } from './socket.types';

/** Answers of agents to offers over the socket. They run the same use cases as REST. */
@Injectable()
export class OfferActions {
  constructor(
    private readonly accepting: AcceptOffer,
    private readonly declining: DeclineOffer,
  ) {}

  /** @throws as AcceptOffer */
  accept(socket: LiveSocket, offerId: string): Promise<CallDetailsDto> {
    return this.accepting.accept(agentOf(socket), offerId);
  }

  /** @throws as DeclineOffer */
  decline(socket: LiveSocket, offerId: string, reason: string | null): Promise<OfferDto> {
    return this.declining.decline(agentOf(socket), offerId, reason);
  }
}

function agentOf({ data }: LiveSocket): Principal {
  if (data.kind !== 'staff') throw forbidden('Only staff can do this.');
  return data.user;
}
