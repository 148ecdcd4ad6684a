import { createSign, generateKeyPairSync } from 'node:crypto';
import type { Json } from '../http/api';
import { expectStatus, type Member, PASSWORD, someId, type TestTenant } from '../builders';
import { forged, signatureOf, unsigned } from './forged-tokens';
import type { TestApp } from '../test-app';

export const PRESENT_SECRET = 'the secret that signs now';
export const FORMER_SECRET = 'the secret that signed before';

/** Good tokens to make bad ones of. */
export interface Purse {
  test: TestApp;
  tenant: TestTenant;
  other: TestTenant;
  member: Member;
  link: Json;
  mfa_token: string;
  reset_token: string;
  /** Of a session that was opened while another secret signed, which has been dropped since. */
  dropped: string;
}

export interface BadToken {
  what: string;
  token: (purse: Purse) => string | Promise<string>;
  /** How a request with it is refused, with 401 unless it says otherwise. */
  rest?: [code: string, status?: number];
  /** How the socket refuses it; null where it is good there. */
  socket?: string | null;
  /** How an open socket refuses it, where that is another way. */
  renewal?: string;
}

const NOW = () => Math.floor(Date.now() / 1000);
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The member's token with other parts, signed by the service's own key. */
const genuine =
  (claims: Json, header: Json = {}) =>
  ({ member }: Purse) =>
    forged(member.token, { header, claims, secret: PRESENT_SECRET });

const ofMember =
  (change: (token: string) => string) =>
  ({ member }: Purse) =>
    change(member.token);

const SHAPES: BadToken[] = [
  { what: 'an empty one', token: () => '' },
  { what: 'rubbish', token: () => 'garbage' },
  { what: 'rubbish in three parts', token: () => 'a.b.c' },
  { what: 'dots', token: () => '..' },
  { what: 'one without its last letter', token: ofMember((token) => token.slice(0, -1)) },
  { what: 'one without a signature', token: ofMember((token) => `${unsigned(token)}.`) },
  { what: 'one of two parts', token: ofMember((token) => unsigned(token)) },
  { what: 'one of four parts', token: ofMember((token) => `${token}.${signatureOf(token)}`) },
  {
    what: 'one of 100 kB',
    token: ofMember((token) => token + 'x'.repeat(100_000)),
    // Headers that large never get as far as a route.
    rest: ['', 431],
    renewal: 'validation_failed',
  },
];

const SIGNATURES: BadToken[] = [
  { what: 'one signed with a guess', token: ofMember((token) => forged(token, { secret: 'secret' })) },
  {
    what: "one with another token's signature",
    token: ({ member, other }) => `${unsigned(member.token)}.${signatureOf(other.owner.token)}`,
  },
  {
    what: 'one whose tenant was changed',
    token: ({ member, other }) =>
      `${unsigned(member.token, { claims: { tid: other.id } })}.${signatureOf(member.token)}`,
  },
  { what: 'one signed with a key that has been dropped', token: ({ dropped }) => dropped },
  { what: 'one that names no key', token: genuine({}, { kid: undefined }) },
  { what: 'one that names an unknown key', token: genuine({}, { kid: 'x' }) },
  { what: 'one that names no key but a property', token: genuine({}, { kid: '__proto__' }) },
  {
    what: 'one that names another key than it was signed with',
    token: ({ member }) => forged(member.token, { secret: FORMER_SECRET }),
  },
];

/** RFC 8725, 2.1 and 3.1. */
const ALGORITHMS: BadToken[] = [
  ...['none', 'None', 'NONE', 'nOnE', '', 'hs256'].map((alg) => ({
    what: `one of the algorithm "${alg}"`,
    token: ofMember((token) => forged(token, { header: { alg } })),
  })),
  {
    what: 'one of the algorithm "none" that keeps its signature',
    token: ofMember((token) => `${unsigned(token, { header: { alg: 'none' } })}.${signatureOf(token)}`),
  },
  {
    what: 'one of the algorithm "none" without a key',
    token: ofMember((token) => forged(token, { header: { alg: 'none', kid: undefined } })),
  },
  { what: 'one signed as HS256 that says RS256', token: genuine({}, { alg: 'RS256' }) },
  {
    what: 'one signed as RS256 with a key of their own',
    token: ofMember((token) => {
      const body = unsigned(token, { header: { alg: 'RS256' } });
      return `${body}.${createSign('sha256').update(body).sign(RSA.privateKey, 'base64url')}`;
    }),
  },
  {
    what: 'one signed as HS512',
    token: ofMember((token) =>
      forged(token, { header: { alg: 'HS512' }, secret: PRESENT_SECRET, hash: 'sha512' }),
    ),
  },
];

/** Signed as they should be. */
const CLAIMS: BadToken[] = [
  {
    what: 'an expired one',
    token: (purse) => genuine({ exp: NOW() - 1 })(purse),
    rest: ['token_expired'],
    socket: 'token_expired',
  },
  { what: 'one that never expires', token: genuine({ exp: undefined }) },
  { what: 'one that expires at no time', token: genuine({ exp: 'never' }) },
  { what: 'one that is not good yet', token: (purse) => genuine({ nbf: NOW() + 3600 })(purse) },
  { what: 'one for nobody', token: genuine({ aud: undefined }) },
  { what: 'one for another service', token: genuine({ aud: 'elsewhere' }) },
  { what: 'one of staff for customers', token: genuine({ aud: 'customer' }), socket: 'token_expired' },
  {
    what: 'one of a session that never was',
    token: (purse) => genuine({ sid: someId() })(purse),
    rest: ['session_ended'],
    socket: 'session_ended',
  },
  {
    what: 'one of a session that was ended',
    token: async ({ tenant }) => {
      const { api, token } = await tenant.member();
      expectStatus(await api.post('/api/auth/logout'), 204);
      return token;
    },
    rest: ['session_ended'],
    socket: 'session_ended',
  },
];

/** Good for something else. */
const MISPLACED: BadToken[] = [
  { what: 'a refresh token', token: ({ member }) => member.refresh_token },
  { what: 'an mfa_token', token: ({ mfa_token }) => mfa_token },
  { what: 'the token of a mailed link', token: ({ reset_token }) => reset_token },
  { what: "an access link's token", token: ({ link }) => link.token },
  { what: 'a password', token: () => PASSWORD.replaceAll(' ', '-') },
  {
    what: 'a websocket_token',
    token: async ({ tenant, link }) => (await tenant.join(link)).websocket_token,
    socket: null,
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
    socket: 'token_expired',
  },
  {
    what: 'a websocket_token of a call that never was',
    token: customers(({ tenant }) => ({ sub: someId(), tid: tenant.id })),
    socket: 'token_expired',
  },
  {
    what: "a websocket_token of a call in another tenant's name",
    token: customers(({ other }) => ({ tid: other.id })),
    socket: 'token_expired',
  },
  {
    what: 'a websocket_token that never expires',
    token: customers(() => ({ exp: undefined })),
  },
];

/** A customer's token with other claims, signed by the service's own key. */
function customers(claims: (purse: Purse) => Json) {
  return async (purse: Purse): Promise<string> => {
    const { websocket_token } = await purse.tenant.join(purse.link);
    return forged(websocket_token, { claims: claims(purse), secret: PRESENT_SECRET });
  };
}

/** Tokens that open nothing: neither a route, nor the socket, nor a longer life for an open one. */
export const BAD_TOKENS: BadToken[] = [...SHAPES, ...SIGNATURES, ...ALGORITHMS, ...CLAIMS, ...MISPLACED];
