import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import type { CallOffer } from '../../../../shared/socket';
import { useConsole } from '../../../state/console-context';
import { queueTexts } from '../texts/texts';

/** Says why an offer has gone that the agent did not answer, for example because a colleague was quicker. */
export function useOfferNews(offers: readonly CallOffer[]): void {
  const { offer: texts } = queueTexts.use();
  const { socket } = useConsole();
  // When the event arrives, the list is already without it.
  const names = useRef(new Map<string, string>());
  useEffect(() => {
    for (const { offer, call } of offers) names.current.set(offer.id, call.customer_name);
  }, [offers]);
  useEffect(
    () =>
      socket.on('offer_ended', ({ offer_id, status, reason }) => {
        const name = names.current.get(offer_id);
        if (!name || !names.current.delete(offer_id)) return;
        if (status === 'expired') notifications.show({ color: 'yellow', message: texts.missed(name) });
        if (status !== 'withdrawn') return;
        const why = texts.reasons[reason ?? ''] ?? texts.otherReason;
        notifications.show({ color: 'yellow', message: texts.withdrawn(name, why), role: 'alert' });
      }),
    [socket, texts],
  );
}
