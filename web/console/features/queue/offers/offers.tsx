import { Alert, Button, Group } from '@mantine/core';
import { useConsole } from '../../../state/console-context';
import { useAttempt } from '../../../ui/use-attempt';
import { useSignalValue } from '../../../ui/use-signal-value';
import '../queue.css';
import { queueTexts } from '../texts/texts';
import { OfferCard } from './offer-card';
import { useLostCallNews } from './use-lost-call-news';
import { useOfferNews } from './use-offer-news';
import { useRinging } from './use-ringing';

/** Calls that this agent may take, and what became of those that they did not. */
export function Offers() {
  const offers = useSignalValue(useConsole().queue.offers);
  useRinging(offers[0]);
  useOfferNews(offers);
  useLostCallNews();
  return (
    <>
      {offers.map((one) => (
        <OfferCard key={one.offer.id} offer={one} />
      ))}
      <MissedOffer />
    </>
  );
}

/** An agent who missed a call gets no other one until they say that they are back. */
function MissedOffer() {
  const { offer: texts } = queueTexts.use();
  const { queue } = useConsole();
  const attempt = useAttempt();
  const own = useSignalValue(queue.own);
  if (own?.state !== 'paused' || own.reason !== 'missed_offer') return null;
  return (
    <Alert color="yellow" role="status" data-testid="missed-offer">
      <Group justify="space-between">
        {texts.pausedText}
        <Button
          size="xs"
          data-testid="available-again"
          onClick={() => attempt(() => queue.choosePresence('online'))}
        >
          {texts.available}
        </Button>
      </Group>
    </Alert>
  );
}
