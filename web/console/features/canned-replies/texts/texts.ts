import { textsOf } from '../../../texts/language';

export const cannedReplyTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
