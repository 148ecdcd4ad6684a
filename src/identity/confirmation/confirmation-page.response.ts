import type { Request, Response } from 'express';
import { mailLanguage } from '../../platform/mail/mail-language';
import { sendHtmlPage } from '../mail/html-page';
import { confirmationPage, type ConfirmationPageState } from './confirmation-page';

const MAX_TOKEN_LENGTH = 1000;

/** Accepts only strings: query parameters and form fields can also be parsed as arrays or objects. */
const toText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_TOKEN_LENGTH) : '';

/** The token of the form, or of the link that opens it. */
export function tokenOf({ method, query, body }: Request): string {
  const source = method === 'POST' ? (body as { token?: unknown } | undefined) : query;
  return toText(source?.token);
}

/** Sends the page in the language of the URL. */
export function sendConfirmationPage(
  request: Request,
  response: Response,
  status: number,
  state: ConfirmationPageState,
): void {
  const language = mailLanguage(toText(request.query.lang));
  sendHtmlPage(response, status, confirmationPage(language, tokenOf(request), state));
}
