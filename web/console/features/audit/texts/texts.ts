import { textsOf } from '../../../texts/language';

export const auditTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
