import { textsOf } from '../../../texts/language';

export const queueTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
