import { textsOf } from '../../../texts/language';

export const planTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
