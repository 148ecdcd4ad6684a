import { Button } from '@mantine/core';
import { useConsole } from '../../state/console-context';
import { useAttempt } from '../../ui/use-attempt';
import { useSignalValue } from '../../ui/use-signal-value';

export function OfferCards() {
  const state = useConsole();
  const attempt = useAttempt();
  const offers = useSignalValue(state.queue.offers);
  return offers.map(({ offer }) => (
    <Button key={offer.id} data-testid="offer-accept" onClick={() => attempt(() => state.accept(offer.id))}>
      Accept
    </Button>
  ));
}
