import { createSign, generateKeyPairSync } from 'node:crypto';
import type { Json } from '../http/api';
import { expectStatus, type Member, PASSWORD, someId, type TestTenant } from '../builders';
import { forged, signatureOf, unsigned } from './forged-tokens';
import type { TestApp } from '../test-app';

export const CURRENT_SECRET = 'the secret that signs now';
export const FORMER_SECRET = 'the secret that signed before';

/** Valid tokens from which invalid ones are made. */
export interface TokenFixtures {
  test: TestApp;
  tenant: TestTenant;
  other: TestTenant;
  member: Member;
  link: Json;
  mfa_token: string;
  reset_token: string;
  /** Signed with a secret that has been removed since. */
  dropped: string;
}

/** A token that must be rejected. */
export interface BadToken {
  what: string;
  token: (tokens: TokenFixtures) => string | Promise<string>;
  /** The error of a request with this token; the default status is 401. */
  httpError?: [code: string, status?: number];
  /** The error of a socket connection with this token; null if the connection is accepted. */
  socketError?: string | null;
  /** The error when an open socket renews its token with this one, if it differs. */
  renewalError?: string;
}

const NOW = () => Math.floor(Date.now() / 1000);
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The member's token with other claims or another header, signed with the service's key. */
const genuine =
  (claims: Json, header: Json = {}) =>
  ({ member }: TokenFixtures) =>
    forged(member.token, { header, claims, secret: CURRENT_SECRET });

const ofMember =
  (change: (token: string) => string) =>
  ({ member }: TokenFixtures) =>
    change(member.token);

const SHAPES: BadToken[] = [
  { what: 'an empty token', token: () => '' },
  { what: 'garbage', token: () => 'garbage' },
  { what: 'garbage in three parts', token: () => 'a.b.c' },
  { what: 'only dots', token: () => '..' },
  { what: 'a token without its last character', token: ofMember((token) => token.slice(0, -1)) },
  { what: 'a token without a signature', token: ofMember((token) => `${unsigned(token)}.`) },
  { what: 'a token with two parts', token: ofMember((token) => unsigned(token)) },
  { what: 'a token with four parts', token: ofMember((token) => `${token}.${signatureOf(token)}`) },
  {
    what: 'a token of 90 kB',
    token: ofMember((token) => token + 'x'.repeat(90_000)),
    // Node rejects headers of this size before they reach a route.
    httpError: ['', 431],
    renewalError: 'validation_failed',
  },
];

const SIGNATURES: BadToken[] = [
  {
    what: 'a token signed with a guessed secret',
    token: ofMember((token) => forged(token, { secret: 'secret' })),
  },
  {
    what: 'a token with the signature of another token',
    token: ({ member, other }) => `${unsigned(member.token)}.${signatureOf(other.owner.token)}`,
  },
  {
    what: 'a token whose tenant was changed',
    token: ({ member, other }) =>
      `${unsigned(member.token, { claims: { tid: other.id } })}.${signatureOf(member.token)}`,
  },
  { what: 'a token signed with a removed key', token: ({ dropped }) => dropped },
  { what: 'a token without a key id', token: genuine({}, { kid: undefined }) },
  { what: 'a token with an unknown key id', token: genuine({}, { kid: 'x' }) },
  { what: 'a token with a property name as its key id', token: genuine({}, { kid: '__proto__' }) },
  {
    what: 'a token with the id of another key',
    token: ({ member }) => forged(member.token, { secret: FORMER_SECRET }),
  },
];

/** RFC 8725, 2.1 and 3.1. */
const ALGORITHMS: BadToken[] = [
  ...['none', 'None', 'NONE', 'nOnE', '', 'hs256'].map((alg) => ({
    what: `a token with the algorithm "${alg}"`,
    token: ofMember((token) => forged(token, { header: { alg } })),
  })),
  {
    what: 'a token with the algorithm "none" and its signature',
    token: ofMember((token) => `${unsigned(token, { header: { alg: 'none' } })}.${signatureOf(token)}`),
  },
  {
    what: 'a token with the algorithm "none" and no key id',
    token: ofMember((token) => forged(token, { header: { alg: 'none', kid: undefined } })),
  },
  { what: 'a token signed with HS256 that names RS256', token: genuine({}, { alg: 'RS256' }) },
  {
    what: 'a token signed with RS256 and an unknown key',
    token: ofMember((token) => {
      const body = unsigned(token, { header: { alg: 'RS256' } });
      return `${body}.${createSign('sha256').update(body).sign(RSA.privateKey, 'base64url')}`;
    }),
  },
  {
    what: 'a token signed with HS512',
    token: ofMember((token) =>
      forged(token, { header: { alg: 'HS512' }, secret: CURRENT_SECRET, hash: 'sha512' }),
    ),
  },
];

/** Tokens with a valid signature. */
const CLAIMS: BadToken[] = [
  {
    what: 'an expired token',
    token: (tokens) => genuine({ exp: NOW() - 1 })(tokens),
    httpError: ['token_expired'],
    socketError: 'token_expired',
  },
  { what: 'a token that never expires', token: genuine({ exp: undefined }) },
  { what: 'a token whose expiry is not a number', token: genuine({ exp: 'never' }) },
  { what: 'a token that is not valid yet', token: (tokens) => genuine({ nbf: NOW() + 3600 })(tokens) },
  { what: 'a token without an audience', token: genuine({ aud: undefined }) },
  { what: 'a token for another service', token: genuine({ aud: 'elsewhere' }) },
  {
    what: 'a staff token with the audience of customers',
    token: genuine({ aud: 'customer' }),
    socketError: 'token_expired',
  },
  {
    what: 'a token of a session that does not exist',
    token: (tokens) => genuine({ sid: someId() })(tokens),
    httpError: ['session_ended'],
    socketError: 'session_ended',
  },
  {
    what: 'a token of an ended session',
    token: async ({ tenant }) => {
      const { api, token } = await tenant.member();
      expectStatus(await api.post('/api/auth/logout'), 204);
      return token;
    },
    httpError: ['session_ended'],
    socketError: 'session_ended',
  },
];

/** Tokens that are valid for another purpose. */
const MISPLACED: BadToken[] = [
  { what: 'a refresh token', token: ({ member }) => member.refresh_token },
  { what: 'an mfa_token', token: ({ mfa_token }) => mfa_token },
  { what: 'the token of a mailed link', token: ({ reset_token }) => reset_token },
  { what: "an access link's token", token: ({ link }) => link.token },
  { what: 'a password', token: () => PASSWORD.replaceAll(' ', '-') },
  {
    what: 'a websocket_token',
    token: async ({ tenant, link }) => (await tenant.join(link)).websocket_token,
    socketError: null,
  },
  {
    what: 'a websocket_token of a call that ended long ago',
    token: async ({ test, tenant, link }) => {
      const { call_id, websocket_token } = await tenant.join(link);
      expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`), 200);
      await test.db.query(`UPDATE calls SET ended_at = ended_at - interval '15 minutes' WHERE id = $1`, [
        call_id,
      ]);
      return websocket_token;
    },
    socketError: 'token_expired',
  },
  {
    what: 'a websocket_token of a call that does not exist',
    token: customerToken(({ tenant }) => ({ sub: someId(), tid: tenant.id })),
    socketError: 'token_expired',
  },
  {
    what: 'a websocket_token with the tenant of another call',
    token: customerToken(({ other }) => ({ tid: other.id })),
    socketError: 'token_expired',
  },
  {
    what: 'a websocket_token that never expires',
    token: customerToken(() => ({ exp: undefined })),
  },
];

/** A customer's token with other claims, signed with the service's key. */
function customerToken(claims: (tokens: TokenFixtures) => Json) {
  return async (tokens: TokenFixtures): Promise<string> => {
    const { websocket_token } = await tokens.tenant.join(tokens.link);
    return forged(websocket_token, { claims: claims(tokens), secret: CURRENT_SECRET });
  };
}

/** Tokens that routes, sockets and renewals of open sockets must reject. */
export const BAD_TOKENS: BadToken[] = [...SHAPES, ...SIGNATURES, ...ALGORITHMS, ...CLAIMS, ...MISPLACED];
