import { createHmac } from 'node:crypto';

type Part = Record<string, unknown>;

interface Forgery {
  /** Override fields of the token; undefined removes a field. */
  header?: Part;
  claims?: Part;
  /** The secret of the new HMAC signature. Without a secret the signature is empty. */
  secret?: string;
  hash?: 'sha256' | 'sha512';
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Decodes the header and the claims of a JSON Web Token. */
export function partsOf(token: string): [header: Part, claims: Part] {
  const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return [JSON.parse(header ?? ''), JSON.parse(claims ?? '')];
}

/** The encoded header and claims of the token with some fields changed. */
export function unsigned(token: string, { header, claims }: Pick<Forgery, 'header' | 'claims'> = {}): string {
  const [ownHeader, ownClaims] = partsOf(token);
  return `${encode({ ...ownHeader, ...header })}.${encode({ ...ownClaims, ...claims })}`;
}

/** The token with some fields changed and a matching signature. */
export function forged(token: string, { secret, hash = 'sha256', ...parts }: Forgery): string {
  const body = unsigned(token, parts);
  return `${body}.${secret ? createHmac(hash, secret).update(body).digest('base64url') : ''}`;
}

/** The encoded signature of a token. */
export const signatureOf = (token: string): string => token.split('.')[2] ?? '';
