import { textsOf } from '../../../texts/language';

export const wallTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
