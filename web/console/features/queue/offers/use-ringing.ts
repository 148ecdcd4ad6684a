import { useEffect } from 'react';
import type { CallOffer } from '../../../../shared/socket';
import { queueTexts } from '../texts/texts';
import { blinkTitle } from './blinking-title';
import { startRinging } from './ring-tone-player';
import { inOneTab } from './ringing-tab';
import { showNotification } from './show-notification';
import { useAppointmentText } from './use-appointment-text';

/** Calls the agent to an offer until it is settled: all tabs show it, one of them rings. */
export function useRinging(ringing: CallOffer | undefined): void {
  const { offer: texts } = queueTexts.use();
  const id = ringing?.offer.id;
  const { note, appointment, known_customer: isKnown } = ringing?.offer ?? {};
  const isClaimed = ringing?.call.identity_confirmed === false;
  const customer = isClaimed ? texts.claimedCustomer : isKnown && texts.knownCustomer;
  const facts = [useAppointmentText(appointment), customer, note && texts.note(note)]
    .filter(Boolean)
    .join('\n');
  const { customer_name: name = '', department_name: department = '' } = ringing?.call ?? {};
  useEffect(() => {
    if (id === undefined) return undefined;
    const restoreTitle = blinkTitle(texts.tabTitle(name));
    const giveUp = inOneTab(() => {
      const close = showNotification(
        texts.title,
        [texts.from(name, department), facts].filter(Boolean).join('\n'),
      );
      const stop = startRinging();
      return () => {
        close();
        stop();
      };
    });
    return () => {
      restoreTitle();
      giveUp();
    };
  }, [id, name, department, facts, texts]);
}
