import { textsOf } from '../../../texts/language';

export const callTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
