import type { CallOffer } from '../../../../shared/socket';
import type { Language } from '../../../../shared/texts/texts';
import { formatTimeAs } from '../../../ui/dates';
import type { queueTexts } from '../texts/texts';

/** When the appointment of an offered call is, and what for. */
export const appointmentText = (
  { starts_at, title }: NonNullable<CallOffer['offer']['appointment']>,
  texts: ReturnType<typeof queueTexts.use>['offer'],
  language: Language,
): string => texts.appointment(formatTimeAs('clock', starts_at, language), title);
