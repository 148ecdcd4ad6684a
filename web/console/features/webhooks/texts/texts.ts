import { textsOf } from '../../../texts/language';

export const webhookTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
