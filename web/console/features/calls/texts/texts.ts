import { textsOf } from '../../../texts/language';

export const callsTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
