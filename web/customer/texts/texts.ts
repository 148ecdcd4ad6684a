import type { TextLoaders } from '../../shared/texts/texts';
import type { Texts } from './en';

export type { Texts };

export const TEXTS: TextLoaders<Texts> = {
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
};
