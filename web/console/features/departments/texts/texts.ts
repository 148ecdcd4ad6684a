import { textsOf } from '../../../texts/language';

export const departmentTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
