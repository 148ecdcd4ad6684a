import { number } from '../../shared/texts/wait/wait-text';
import type { Language } from '../../shared/texts/texts';
import type { State } from '../state/state.types';
import type { Texts } from '../texts/texts';
import type { RingReason } from './ring-reason';

interface TitleParts {
  texts: Texts;
  language: Language;
  company: string;
  /** Every other second while the page rings; null otherwise. */
  ringing: RingReason | null;
}

/** The title of the tab, which tells a customer in another tab how things stand. */
export function pageTitle(state: State, { texts, language, company, ringing }: TitleParts): string {
  if (ringing) return `● ${ringing === 'called' ? texts.called.tabTitle : texts.callback.invited}`;
  if (state.screen !== 'waiting') return texts.title(company);
  return `${texts.waiting.position(number(state.call.position, language))} · ${company}`;
}
