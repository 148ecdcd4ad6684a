import type { ConsoleState } from '../console-state';
import type { CallOffer } from '../../shared/socket';
import { texts } from '../texts/language';
import { attempt } from '../ui/errors';
import { now } from '../ui/now';

/** A call that this agent may take, with the seconds that are left. */
export function OfferCard({ offer: { offer, call }, state }: { offer: CallOffer; state: ConsoleState }) {
  const labels = texts.value.offer;
  const seconds = Math.max(0, Math.ceil((Date.parse(offer.expires_at) - now.value) / 1000));
  return (
    <section class="card offer" data-testid="offer" role="alertdialog" aria-labelledby={`offer-${offer.id}`}>
      <h2 id={`offer-${offer.id}`}>{labels.title}</h2>
      <p>{labels.from(call.customer_name, call.department_name)}</p>
      {offer.note && <p>{offer.note}</p>}
      <p>{labels.seconds(seconds)}</p>
      <button
        type="button"
        class="primary"
        data-testid="offer-accept"
        onClick={() => attempt(() => state.accept(offer.id))}
      >
        {labels.accept}
      </button>
      <button
        type="button"
        data-testid="offer-decline"
        onClick={() => attempt(() => state.queue.decline(offer.id))}
      >
        {labels.decline}
      </button>
    </section>
  );
}
