import type { Request } from 'express';
import { withoutPastedEnd } from '../../platform/text/link-token';
import { type MailLanguage, mailLanguage } from '../../tenancy/mail/mail-language';

const MAX_TOKEN_LENGTH = 1000;

/** Accepts only strings: query parameters and form fields can also be parsed as arrays or objects. */
const toText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_TOKEN_LENGTH) : '';

/** The token of the form, or of the link that opens it. */
export function pageToken({ method, query, body }: Request): string {
  const source = method === 'POST' ? (body as { token?: unknown } | undefined) : query;
  return withoutPastedEnd(toText(source?.token));
}

/**
 * The language in the URL of a page. Forms repeat it in their own URL, so that it is known even when a request is
 * rejected before its body is read.
 */
export function pageLanguage({ query }: Request): MailLanguage {
  return mailLanguage(toText(query.lang));
}
