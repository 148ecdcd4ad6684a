import { textsOf } from './language';

/** The texts that every page of the console uses. */
export const commonTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});

export const useCommonTexts = (): ReturnType<typeof commonTexts.use> => commonTexts.use();
