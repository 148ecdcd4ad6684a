import { textsOf } from '../../../../texts/language';

export const timelineTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
