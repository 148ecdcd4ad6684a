import { textsOf } from '../../../texts/language';

export const skillTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
