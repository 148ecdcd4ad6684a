import { textsOf } from '../../../texts/language';

export const exportTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
