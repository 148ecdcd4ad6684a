import { textsOf } from '../../../texts/language';

export const browserReplyTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
