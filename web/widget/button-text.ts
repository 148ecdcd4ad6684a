import type { LinkValidation } from '../shared/page-data';
import type { Language } from '../shared/texts/texts';
import { TEXTS } from './texts';

/** What the button says below its label: whether the department is open and how many are waiting. */
export function stateText(link: Pick<LinkValidation, 'open' | 'queue_size'>, language: Language): string {
  const { closed, queue } = TEXTS[language];
  return link.open ? queue(link.queue_size) : closed;
}

export const defaultLabel = (language: Language): string => TEXTS[language].label;
