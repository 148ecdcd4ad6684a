import { number } from '../format/wait-text';
import type { Language } from '../../shared/texts/texts';
import type { State } from '../state/state.types';
import type { Texts } from '../texts/texts';

interface TitleParts {
  texts: Texts;
  language: Language;
  company: string;
  /** Every other second while the customer is called. */
  isFlashing: boolean;
}

/** The title of the tab, which tells a customer in another tab how things stand. */
export function pageTitle(state: State, { texts, language, company, isFlashing }: TitleParts): string {
  if (isFlashing) return `● ${texts.called.tabTitle}`;
  if (state.screen !== 'waiting') return texts.title(company);
  return `${texts.waiting.position(number(state.call.position, language))} · ${company}`;
}
