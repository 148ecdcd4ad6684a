import { textsOf } from '../../../texts/language';

export const callTagsTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
