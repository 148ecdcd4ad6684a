import type { Request, Response } from 'express';
import { sendHtmlPage } from '../pages/html-page';
import { pageLanguage, pageToken } from '../pages/page-request';
import { passwordPage, type PasswordPageState } from './password-page';

/** Sends the page in the language of its URL. */
export function sendPasswordPage(
  request: Request,
  response: Response,
  status: number,
  state: PasswordPageState,
): void {
  sendHtmlPage(response, status, passwordPage(pageLanguage(request), pageToken(request), state));
}
