import type { CallOffer } from '../../../../shared/socket';
import { useServerNow } from '../../../state/use-server-now';
import { timeLeft } from './time-left.rules';

/** What is left of the offer's time, every second. */
export const useTimeLeft = (offer: CallOffer['offer']) => timeLeft(offer, useServerNow());
