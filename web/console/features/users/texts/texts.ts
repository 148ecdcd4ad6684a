import { textsOf } from '../../../texts/language';

export const userTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
