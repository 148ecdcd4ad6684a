import { textsOf } from '../../../texts/language';

export const requiredSkillTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});
