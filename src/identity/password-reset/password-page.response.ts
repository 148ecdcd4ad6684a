import type { Request, Response } from 'express';
import { mailLanguage } from '../../platform/mail/mail-language';
import { passwordPage, type PasswordPageState } from './password-page';

/** Query parameters and forms may hold anything; arrays and objects among it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');

/**
 * Answers with the page. Its language stands in the address, of the form, too: a form that is refused
 * before it is read is answered in it.
 */
export function sendPage(
  request: Request,
  response: Response,
  status: number,
  state: PasswordPageState,
): void {
  const language = mailLanguage(textOf(request.query.lang));
  // The address holds a token: nobody else is to keep it, nor to be told it.
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .type('html')
    .send(passwordPage(language, tokenOf(request), state));
}

function tokenOf({ method, query, body }: Request): string {
  const given = method === 'POST' ? (body as { token?: unknown } | undefined) : query;
  return textOf(given?.token);
}
