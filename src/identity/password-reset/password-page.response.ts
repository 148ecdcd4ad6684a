import type { Request, Response } from 'express';
import { sendHtmlPage } from '../pages/html-page';
import { pageLanguage, pageToken } from '../pages/page-request';
import { passwordPage, type PasswordPageState } from './password-page';

/** Sends the page in the language of its URL. @param tenant the company's slug, for the login, once it is done */
export function sendPasswordPage(
  request: Request,
  response: Response,
  status: number,
  state: PasswordPageState,
  tenant?: string,
): void {
  sendHtmlPage(response, status, passwordPage(pageLanguage(request), pageToken(request), state, tenant));
}
