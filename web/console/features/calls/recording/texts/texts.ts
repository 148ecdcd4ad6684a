import { textsOf } from '../../../../texts/language';

export const recordingTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
