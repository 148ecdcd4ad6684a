import { textsOf } from '../../../texts/language';

export const linkTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
