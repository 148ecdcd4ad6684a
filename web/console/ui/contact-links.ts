/**
 * The link that writes to an e-mail address (RFC 6068). Whoever joins a call types the address: encoded, it cannot add recipients, a
 * subject or a text, as `x?bcc=…@…` would.
 */
export const mailLink = (email: string): string => `mailto:${email.split('@').map(encodeMailPart).join('@')}`;

/** A plus sign stays readable, which the RFC allows: many mail programs show the address as it is in the link. */
const encodeMailPart = (part: string): string => encodeURIComponent(part).replaceAll('%2B', '+');

/** What people write before a number: "Tel.: ". */
const LABEL = /^[\p{L}\s.]+:?/u;

/** Brazilian notation for "dial 0 and a carrier of your choice": (0xx11) 3333-4444. */
const CARRIER_PLACEHOLDER = /\b0\s*xx\s*/i;

/** The 0 that is not dialled after a country code: +55 (0)11 3333-4444. */
const NATIONAL_ZERO = /^(\(?\+.*)\(0\)/;

/** The number, and behind it an extension or a remark. */
const PARTS = /^([^\p{L};,#]*)(.*)$/su;

/** A number in any notation. */
const NUMBER = /^[\s(]*\+?[\d\s()./\p{Pd}]+$/u;

/** Numbers of all countries have at most 15 digits (E.164), short ones for emergencies three. */
const DIGITS = { min: 3, max: 15 };

/** An extension has fewer digits than another number. */
const MAX_EXTENSION = 6;

/** A slash stands only after an area code: after more digits another number begins. */
const MAX_AREA_CODE = 6;

const digitsOf = (text: string) => text.replaceAll(/\D/g, '');

/**
 * The link that calls a phone number (RFC 3966): only its digits, and the plus sign at the beginning. Without `*` and `#` it cannot
 * have the telephone run a code of the network.
 * @returns undefined unless the text is one number: a link would call somebody else
 */
export function phoneLink(phone: string): string | undefined {
  const text = phone
    .normalize('NFKC')
    .trim()
    .replace(LABEL, '')
    .replace(CARRIER_PLACEHOLDER, '')
    .replace(NATIONAL_ZERO, '$1')
    .trim();
  const [, number = '', rest = ''] = PARTS.exec(text) ?? [];
  const digits = digitsOf(number);
  const [beforeSlash = '', ...others] = number.split('/');
  const isOne =
    NUMBER.test(number) &&
    (others.length === 0 || digitsOf(beforeSlash).length <= MAX_AREA_CODE) &&
    digitsOf(rest).length <= MAX_EXTENSION;
  if (!isOne || digits.length < DIGITS.min || digits.length > DIGITS.max) return undefined;
  return `tel:${number.includes('+') ? '+' : ''}${digits}`;
}
