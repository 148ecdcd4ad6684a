import type { TextLoaders } from '../../shared/texts/texts';
import type { CallTexts } from './en/call';

export type { CallTexts };

/** The texts of the call, which are loaded with it. */
export const CALL_TEXTS: TextLoaders<CallTexts> = {
  en: () => import('./en/call'),
  pt: () => import('./pt/call'),
  es: () => import('./es/call'),
};
