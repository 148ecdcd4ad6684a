import { Suspense } from 'react';
import { Offers } from './offers/offers';

/** Calls that this agent may take, on any page. Nothing else waits for their texts. */
export function OfferCards() {
  return (
    <Suspense fallback={null}>
      <Offers />
    </Suspense>
  );
}
