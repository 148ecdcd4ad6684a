import { useConsole } from '../../../state/console-context';
import { useSignalValue } from '../../../ui/use-signal-value';
import '../queue.css';
import { OfferCard } from './offer-card';

export function Offers() {
  const offers = useSignalValue(useConsole().queue.offers);
  return offers.map((one) => <OfferCard key={one.offer.id} offer={one} />);
}
