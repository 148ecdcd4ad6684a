import { randomBytes } from 'node:crypto';
import { Transform } from 'class-transformer';

/** Programs that find links in texts leave out punctuation at their ends. */
const ENDS_WITH_PUNCTUATION = /^[-_]|[-_]$/;

const TOKEN = /^[\w-]{1,128}$/;

/** A new token of a link: that many random bytes in base64url, which neither begins nor ends with - or _. */
export function newLinkToken(bytes: number): string {
  for (;;) {
    const token = randomBytes(bytes).toString('base64url');
    if (!ENDS_WITH_PUNCTUATION.test(token)) return token;
  }
}

/** Whether the text can be the token of an access link; others, such as one with NUL, cannot be looked up. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text);

/** The token without what was pasted behind it: the full stop, bracket or space that stood behind the link. */
export const withoutPastedEnd = (token: string): string => token.replace(/[^\w-]+$/, '');

/** A field with a token from a link, which may have been pasted with what stood behind it. */
export const PastedToken = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? withoutPastedEnd(value) : value));
