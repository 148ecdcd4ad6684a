import { textsOf } from '../../../texts/language';

export const handOverTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
