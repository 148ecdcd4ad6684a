import { textsOf } from '../../../texts/language';

export const settingsTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
