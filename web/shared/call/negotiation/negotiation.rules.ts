/**
 * `create`: a new RTCPeerConnection. `restart`: an offer with new ICE credentials. `resend`: the pending offer again, whose
 * receiver may have lost it. `wait`: nothing to do.
 */
export type OfferAction = 'create' | 'restart' | 'resend' | 'wait';

/** How long an offer may be under way before it is sent again. */
export const OFFER_TIMEOUT_MS = 2000;

export interface NegotiationFacts {
  hasConnection: boolean;
  /** The other side is still the page that the connection was made with. */
  isSamePage: boolean;
  /** An offer has no answer yet. */
  isOfferPending: boolean;
  /** Since the newest offer. */
  offerAgeMs: number;
  /** The service gave the newest offer to a socket of the other side. */
  wasDelivered: boolean;
  /** The other side's media or ICE checks arrive. */
  isAlive: boolean;
}

/** The agent's answer to `peer_ready` of the customer. It comes more than once, so repeating it must change nothing. */
export function onPeerReady(facts: NegotiationFacts): OfferAction {
  if (!facts.hasConnection || !facts.isSamePage) return 'create';
  if (facts.isAlive) return 'wait';
  if (!facts.isOfferPending) return facts.offerAgeMs < OFFER_TIMEOUT_MS ? 'wait' : 'restart';
  if (!facts.wasDelivered) return 'resend';
  return facts.offerAgeMs < OFFER_TIMEOUT_MS ? 'wait' : 'restart';
}

/**
 * The agent's answer to `renegotiate`: the customer knows that media do not arrive there, even if they do here. An offer
 * that has just been sent may have come before that page listened; taking it twice does no harm.
 */
export function onRenegotiate(facts: NegotiationFacts): OfferAction {
  if (!facts.hasConnection) return 'create';
  if (facts.isOfferPending && facts.offerAgeMs < OFFER_TIMEOUT_MS) return 'resend';
  return facts.offerAgeMs < OFFER_TIMEOUT_MS ? 'wait' : 'restart';
}
