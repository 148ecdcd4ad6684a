import { textsOf } from '../../../texts/language';

export const tagTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
