import { isIP } from 'node:net';
import { isEmail } from 'class-validator';
import { makeValidator } from 'envalid';
import addressparser from 'nodemailer/lib/addressparser';
import { normalizeHost } from '../text/normalize-host';
import { parseStorageUrl } from '../storage/storage-url';

/** A whole number of at least `minimum`. */
export function wholeNumber(minimum: number) {
  return makeValidator<number>((input) => {
    const value = Number(input);
    if (!Number.isSafeInteger(value) || value < minimum) {
      throw new Error(`must be a whole number of at least ${minimum}`);
    }
    return value;
  });
}

/** Comma-separated values, trimmed; empty ones are dropped. */
export const list = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** An absolute URL with one of the given schemes. Final slashes are dropped. */
export function url(...schemes: string[]) {
  return makeValidator<string>((input) => {
    const parsed = URL.parse(input);
    if (!parsed || !schemes.includes(parsed.protocol.replace(':', ''))) {
      throw new Error(`must be an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
    }
    return input.replace(/\/+$/, '');
  });
}

/** The URL of an SMTP server, with optional user and password, and options of nodemailer as its query. */
export const smtpServer = makeValidator<string>((input) => {
  const parsed = URL.parse(input);
  const hasHost = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(parsed?.hostname ?? '');
  if (!parsed || !['smtp:', 'smtps:'].includes(parsed.protocol) || !hasHost) {
    throw new Error('must be an address that starts with smtp:// or smtps:// and names a host');
  }
  return input;
});

/** One mailbox (RFC 5322, 3.4): an address, or a name followed by an address in angle brackets. */
export const mailbox = makeValidator<{ name: string; address: string }>((input) => {
  const [first, ...others] = addressparser(input, { flatten: true });
  const rules = { require_tld: false, allow_ip_domain: true, allow_utf8_local_part: false };
  const isSingle = first !== undefined && others.length === 0 && !first.name.includes('@');
  if (!isSingle || /\p{Cc}/u.test(input) || !isEmail(first.address, rules)) {
    throw new Error('must be one e-mail address, or Name <address>');
  }
  return { name: first.name, address: first.address };
});

/**
 * One or two comma-separated secrets of at least 16 characters. New data is signed or sealed with the first.
 */
export const secrets = makeValidator<string[]>((input) => {
  const values = input.split(',').map((item) => item.trim());
  if (values.length > 2 || values.some((value) => value.length < 16)) {
    throw new Error('must be one value, or two separated by a comma, of at least 16 characters each');
  }
  return values;
});

/** Express's `trust proxy`: a number of hops, or addresses, networks and named ranges. */
export const trustedProxies = makeValidator<number | string[]>((input) => {
  if (/^\d+$/.test(input.trim())) return Number(input);
  const items = input.split(',').map((item) => item.trim());
  if (!items.every(isNetwork)) {
    throw new Error('must be a number of hops, or addresses, networks, loopback, linklocal or uniquelocal');
  }
  return items;
});

function isNetwork(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/');
  const isNamedRange = ['loopback', 'linklocal', 'uniquelocal'].includes(item);
  const isMask =
    bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32));
  return isNamedRange || (isIP(address) > 0 && isMask && rest.length === 0);
}

/** Comma-separated host names and IP addresses, each spelled as by `normalizeHost`. */
export const hosts = makeValidator<string[]>((input) => {
  const items = input.split(',').map((item) => item.trim());
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const name = normalizeHost(item);
      if (name === undefined) throw new Error('must be host names or IP addresses, without ports');
      return name;
    });
});

/** PostgreSQL cuts longer names off; `none` and names that begin with `pg_` are its own. */
const MAX_ROLE_BYTES = 63;

/** The name of a role of PostgreSQL. */
export const databaseRole = makeValidator<string>((input) => {
  if (Buffer.byteLength(input) > MAX_ROLE_BYTES || /^(none|pg_.*)$/i.test(input)) {
    throw new Error(`must be a name of at most ${MAX_ROLE_BYTES} bytes that PostgreSQL does not reserve`);
  }
  return input;
});

/** The address of the storage: a bucket or a folder. */
export const storageUrl = makeValidator(parseStorageUrl);
