/**
 * The link that writes to an e-mail address (RFC 6068). Whoever joins a call types the address: encoded, it cannot add recipients, a
 * subject or a text, as `x?bcc=…@…` would.
 */
export const mailLink = (email: string): string => `mailto:${email.split('@').map(encodeMailPart).join('@')}`;

/** A plus sign stays readable, which the RFC allows: many mail programs show the address as it is in the link. */
const encodeMailPart = (part: string): string => encodeURIComponent(part).replaceAll('%2B', '+');

/** Where an extension begins, as people write it. */
const EXTENSION = /[a-z;,].*$/i;

/**
 * The link that calls a phone number (RFC 3966): only its digits, and the plus sign at the beginning. Without `*` and `#` it cannot
 * have the telephone run a code of the network.
 * @returns undefined if there is nothing to call
 */
export function phoneLink(phone: string): string | undefined {
  const number = phone.trim().replace(EXTENSION, '');
  const digits = number.replaceAll(/\D/g, '');
  if (digits === '') return undefined;
  return `tel:${number.startsWith('+') ? '+' : ''}${digits}`;
}
