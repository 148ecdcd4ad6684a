import { randomUUID } from 'node:crypto';
import { Database } from '../../../src/platform/database/database';
import { EventBus } from '../../../src/platform/events/event-bus';
import type { Offer } from '../../../src/routing/offers/offer.entity';
import { type OfferCandidate, OfferEnded, OfferMade } from '../../../src/routing/offers/offer.events';
import type { FinalOfferStatus } from '../../../src/routing/offers/offer.machine';
import type { TestApp } from '../test-app';
import { secondsAfter } from './line';

/** What a test says of an offer; other columns have usual values. */
type OfferFields = Pick<Offer, 'tenant_id' | 'call_id' | 'user_id'> & Partial<Omit<Offer, 'status'>>;

/**
 * Stores an offer that has ended, and records the events that it was made and that it ended: for tests of what follows from
 * these events, whatever the states of agents.
 */
export async function recordOffer(
  test: TestApp,
  fields: OfferFields,
  status: FinalOfferStatus,
  { candidates = [] }: { candidates?: OfferCandidate[] } = {},
): Promise<Offer> {
  const at = test.clock.now();
  const offer: Offer = {
    id: randomUUID(),
    department_id: null,
    kind: 'line',
    offered_by: null,
    note: null,
    reason: null,
    offered_at: at,
    expires_at: secondsAfter(at, 20),
    ended_at: at,
    available_since: null,
    customer_deadline: null,
    ...fields,
    status,
  };
  const columns = Object.keys(offer);
  await test.db.query(
    `INSERT INTO offers (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(offer),
  );
  await test.get(Database).tenant(offer.tenant_id, async (tx) => {
    const ended = { ...offer, appointment: null, known_customer: false };
    const pending = { ...ended, status: 'pending' as const, reason: null, ended_at: null };
    await test.get(EventBus).record(tx, new OfferMade(pending, at, candidates, null));
    await test.get(EventBus).record(tx, new OfferEnded(ended, at));
  });
  return offer;
}

/** A candidate without skills. */
export const candidate = (user_id: string, idle_since: string | null = null): OfferCandidate => ({
  user_id,
  idle_since,
  skills: [],
});
