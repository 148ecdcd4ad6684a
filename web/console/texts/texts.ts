import { textsOf } from './language';

/** The texts that every page of the console uses. */
export const commonTexts = textsOf({
  en: () => import('./en'),
  pt: () => import('./pt'),
  es: () => import('./es'),
});

export const useCommonTexts = (): ReturnType<typeof commonTexts.use> => commonTexts.use();

/** Loaded when the service refuses a field for the first time. */
export const problemTexts = textsOf({
  en: () => import('./problems-en'),
  pt: () => import('./problems-pt'),
  es: () => import('./problems-es'),
});
