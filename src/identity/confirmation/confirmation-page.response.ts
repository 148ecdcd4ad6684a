import type { Request, Response } from 'express';
import { sendHtmlPage } from '../pages/html-page';
import { pageLanguage, pageToken } from '../pages/page-request';
import { confirmationPage, type ConfirmationPageState } from './confirmation-page';

/** Sends the page in the language of its URL. */
export function sendConfirmationPage(
  request: Request,
  response: Response,
  status: number,
  state: ConfirmationPageState,
): void {
  sendHtmlPage(response, status, confirmationPage(pageLanguage(request), pageToken(request), state));
}
