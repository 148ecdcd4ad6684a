import { textsOf } from '../../../texts/language';

export const appointmentTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
