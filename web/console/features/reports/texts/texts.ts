import { textsOf } from '../../../texts/language';

export const reportTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
