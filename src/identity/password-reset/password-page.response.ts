import type { Request, Response } from 'express';
import { mailLanguage } from '../../platform/mail/mail-language';
import { sendHtmlPage } from '../mail/html-page';
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
  sendHtmlPage(response, status, passwordPage(language, tokenOf(request), state));
}

function tokenOf({ method, query, body }: Request): string {
  const source = method === 'POST' ? (body as { token?: unknown } | undefined) : query;
  return toText(source?.token);
}
