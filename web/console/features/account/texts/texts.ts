import { textsOf } from '../../../texts/language';

export const accountTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
