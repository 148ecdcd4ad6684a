import { textsOf } from '../../../texts/language';

export const photoTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
