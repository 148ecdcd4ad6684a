import { textsOf } from '../../../texts/language';

export const customerTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
