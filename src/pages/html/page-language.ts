import type { Request } from 'express';

export const PAGE_LANGUAGES = ['pt', 'en', 'es'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** @param tag a language tag (BCP 47). @returns undefined if there are no texts in its language */
export function pageLanguageOf(tag: string | undefined): PageLanguage | undefined {
  const primary = tag?.toLowerCase().split('-', 1)[0];
  return PAGE_LANGUAGES.find((language) => language === primary);
}

/**
 * The language of a page: the one in its address (`?lang=`), else the reader's first that there is.
 * @param fallback for readers of other languages, and clients that name none
 */
export function pageLanguage(
  request: Pick<Request, 'query' | 'headers' | 'acceptsLanguages'>,
  fallback: PageLanguage,
): PageLanguage {
  const { lang } = request.query;
  const chosen = pageLanguageOf(typeof lang === 'string' ? lang : undefined);
  if (chosen) return chosen;
  // The first one also stands for `*` and for no header.
  const offered = [fallback, ...PAGE_LANGUAGES.filter((language) => language !== fallback)];
  return pageLanguageOf(request.acceptsLanguages(offered) || fallback) ?? fallback;
}
