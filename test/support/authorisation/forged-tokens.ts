import { createHmac } from 'node:crypto';

type Part = Record<string, unknown>;

interface Forgery {
  /** In place of the token's own; undefined leaves one out. */
  header?: Part;
  claims?: Part;
  /** Signs anew with this secret (HMAC); without one the signature is empty. */
  secret?: string;
  hash?: 'sha256' | 'sha512';
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Header and claims of a JSON Web Token. */
export function partsOf(token: string): [header: Part, claims: Part] {
  const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return [JSON.parse(header ?? ''), JSON.parse(claims ?? '')];
}

/** What is signed of the token with other parts. */
export function unsigned(token: string, { header, claims }: Pick<Forgery, 'header' | 'claims'> = {}): string {
  const [ownHeader, ownClaims] = partsOf(token);
  return `${encode({ ...ownHeader, ...header })}.${encode({ ...ownClaims, ...claims })}`;
}

/** The token with other parts, and a signature to match. */
export function forged(token: string, { secret, hash = 'sha256', ...parts }: Forgery): string {
  const body = unsigned(token, parts);
  return `${body}.${secret ? createHmac(hash, secret).update(body).digest('base64url') : ''}`;
}

export const signatureOf = (token: string): string => token.split('.')[2] ?? '';
