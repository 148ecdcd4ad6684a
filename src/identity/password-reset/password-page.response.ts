import type { Request, Response } from 'express';
import { mailLanguage } from '../../platform/mail/mail-language';
import { passwordPage, type PasswordPageState } from './password-page';

/** Accepts only strings: query parameters and form fields can also be parsed as arrays or objects. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');

/**
 * Sends the page in the language of the URL. The form repeats the language in its own URL, so that it is
 * known even when the request is rejected before its body is read.
 */
export function sendPage(
  request: Request,
  response: Response,
  status: number,
  state: PasswordPageState,
): void {
  const language = mailLanguage(toText(request.query.lang));
  // The URL contains a token: keep it out of caches and Referer headers.
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .type('html')
    .send(passwordPage(language, tokenOf(request), state));
}

function tokenOf({ method, query, body }: Request): string {
  const source = method === 'POST' ? (body as { token?: unknown } | undefined) : query;
  return toText(source?.token);
}
