import type { Answer, Json } from '../support/http/api';
import {
  BAD_TOKENS,
  type BadToken,
  FORMER_SECRET,
  CURRENT_SECRET,
  type TokenFixtures,
} from '../support/authorisation/bad-tokens';
import { expectStatus, TestTenant } from '../support/builders';
import { cloneDatabase } from '../support/database/database';
import { expectFailure } from '../support/database/failures';
import { requestMfaToken, enrolledMember } from '../support/contexts/mfa';
import { passwordToken } from '../support/contexts/password-token';
import { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';

const ME = '/api/v1/users/me';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let test: TestApp;
let tokens: TokenFixtures;
/** An access token that was signed with the former secret. */
let formerToken: string;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  database = await cloneDatabase();
  const droppedToken = await tokenSignedWith('a secret of the day before yesterday');
  formerToken = await tokenSignedWith(FORMER_SECRET);
  test = await startTestApp({
    databaseUrl: database.url,
    env: { JWT_SECRET: `${CURRENT_SECRET},${FORMER_SECRET}` },
  });
  tokens = await createTokens(droppedToken);
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

/** An access token of a service that signs with this secret. */
async function tokenSignedWith(secret: string): Promise<string> {
  const past = await startTestApp({ databaseUrl: database.url, env: { JWT_SECRET: secret } });
  const { owner } = await TestTenant.register(past);
  await past.close();
  return owner.token;
}

async function createTokens(droppedToken: string): Promise<TokenFixtures> {
  const [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
  const { link } = await tenant.queue({ max_queue_size: 1000 });
  const member = await tenant.member();
  const enrolled = await enrolledMember(test, tenant);
  const mfa_token = await requestMfaToken(test, tenant, enrolled.member);
  const reset_token = await passwordToken(test, tenant, member);
  return { test, tenant, other, member, link, mfa_token, reset_token, dropped: droppedToken };
}

async function connectError(token: unknown, options: object = {}): Promise<Json> {
  const socket = TestSocket.open(test.url, token as string, options);
  const error = await new Promise<Json>((resolve, reject) => {
    socket.io.once('connect_error', resolve);
    socket.io.once('snapshot', () => reject(new Error('the socket was accepted')));
  }).finally(() => socket.close());
  expect(socket.received).toEqual([]);
  return error.data;
}

/** Expects that routes, new sockets and open sockets reject the token. */
async function expectRejectedEverywhere(_what: string, bad: BadToken): Promise<void> {
  const {
    httpError: rest = ['unauthenticated'],
    socketError: socket = 'token_invalid',
    renewalError: renewal = socket,
  } = bad;
  const token = await bad.token(tokens);
  const [code, status = 401] = rest;
  const answer = await test.api.get(ME, { token });
  if (code) expectFailure(answer, status, { code });
  else expect(answer.status).toBe(status);
  if (socket)
    expect(await connectError(token)).toEqual({ code: socket, detail: expect.stringMatching(/\S/) });

  const { websocket_token, call_id } = await tokens.tenant.join(tokens.link);
  const [staff, customer] = [await connect(tokens.member.token), await connect(websocket_token)];
  for (const socketOfUser of [staff, customer]) {
    const ack = await socketOfUser.send('authenticate', { token });
    expect(ack).toMatchObject({ ok: false, error: { code: renewal ?? 'token_invalid' } });
  }
  // The rejected token does not affect the open sockets.
  expect(await staff.send('snapshot')).toMatchObject({ ok: true, data: { presence: 'online' } });
  expect(await customer.send('snapshot')).toMatchObject({ ok: true, data: { call_id } });
}

const byDescription = (tokens: BadToken[]) => tokens.map((bad) => [bad.what, bad] as const);

describe('an invalid token', () => {
  it.each(byDescription(BAD_TOKENS))('is rejected: %s', expectRejectedEverywhere);

  it('is neither the member’s own nor one of a session from before the secret changed', async () => {
    for (const token of [tokens.member.token, formerToken]) {
      expectStatus(await test.api.get(ME, { token }), 200);
      await connect(token);
    }
  });
});

describe('a valid access token', () => {
  it.each<[string, (token: string) => Promise<Answer>]>([
    ['in the query', (token) => test.api.get(`${ME}?access_token=${token}&token=${token}`)],
    ['in a cookie', (token) => test.api.get(ME, header('cookie', `access_token=${token}; token=${token}`))],
    ['in a header of its own', (token) => test.api.get(ME, header('x-access-token', token))],
    ['without Bearer', (token) => test.api.get(ME, header('authorization', token))],
    ['as Basic', (token) => test.api.get(ME, header('authorization', `Basic ${token}`))],
    [
      'after an empty Bearer',
      (token) => test.api.get(ME, header('authorization', `Bearer , Bearer ${token}`)),
    ],
    ['in the body', (token) => test.api.post('/api/auth/logout', { access_token: token, token })],
    ['nowhere', () => test.api.get(ME)],
    ['nowhere after Bearer', () => test.api.get(ME, header('authorization', 'Bearer '))],
  ])('is not accepted %s', async (_where, send) => {
    expectFailure(await send(tokens.member.token), 401, { code: 'unauthenticated' });
  });

  it.each<[string, object]>([
    ['in an object', { auth: { token: { token: 'TOKEN' } } }],
    ['under another name', { auth: { access_token: 'TOKEN' } }],
    ['nowhere', {}],
  ])('is not accepted %s by the socket', async (_where, place) => {
    const options = JSON.parse(JSON.stringify(place).replace('TOKEN', tokens.member.token));
    expect(await connectError(undefined, { auth: {}, ...options })).toMatchObject({ code: 'token_invalid' });
  });

  it('of another tenant is rejected with the X-Tenant of this tenant and on a socket of this tenant', async () => {
    const { tenant, other, member } = tokens;
    for (const name of [tenant.slug, tenant.id]) {
      const answer = await other.owner.api.get(ME, header('x-tenant', name));
      expectFailure(answer, 403, { code: 'wrong_tenant' });
    }
    const socket = await connect(member.token);
    expect(await socket.send('authenticate', { token: other.owner.token })).toMatchObject({
      ok: false,
      error: { code: 'token_invalid' },
    });
  });
});

const header = (name: string, value: string) => ({ headers: { [name]: value } });

const refresh = (token: string) => test.api.post('/api/auth/refresh', { refresh_token: token });
const verify = (token: string) => test.api.post('/api/auth/mfa/verify', { mfa_token: token, code: '123456' });
const resume = (token: string) => test.api.post('/api/v1/call/resume', { websocket_token: token });

describe('a token of the wrong kind', () => {
  it.each<[string, string, (tokens: TokenFixtures) => Promise<Answer>, number, string]>([
    ['mfa_token', 'refresh token', ({ mfa_token }) => refresh(mfa_token), 401, 'invalid_refresh_token'],
    [
      'mailed token',
      'refresh token',
      ({ reset_token }) => refresh(reset_token),
      401,
      'invalid_refresh_token',
    ],
    ['access token', 'refresh token', ({ member }) => refresh(member.token), 401, 'invalid_refresh_token'],
    ['refresh token', 'mfa_token', ({ member }) => verify(member.refresh_token), 401, 'invalid_mfa_token'],
    ['mailed token', 'mfa_token', ({ reset_token }) => verify(reset_token), 401, 'invalid_mfa_token'],
    ['access token', 'mfa_token', ({ member }) => verify(member.token), 401, 'invalid_mfa_token'],
    ['access token', 'websocket_token', ({ member }) => resume(member.token), 401, 'token_invalid'],
    ['refresh token', 'websocket_token', ({ member }) => resume(member.refresh_token), 401, 'token_invalid'],
  ])('is rejected: %s as %s', async (_given, _wanted, send, status, code) => {
    expectFailure(await send(tokens), status, { code });
  });

  it('cannot cancel a call: only the websocket_token of the call can', async () => {
    const { tenant, link, member } = tokens;
    const [ownCall, otherCall] = [await tenant.join(link), await tenant.join(link)];
    const cancel = (token: string) =>
      test.api.post(`/api/v1/call/cancel/${ownCall.call_id}`, undefined, { token });
    for (const token of [member.token, member.refresh_token]) {
      expectFailure(await cancel(token), 401, { code: 'token_invalid' });
    }
    expectFailure(await cancel(otherCall.websocket_token), 404);
    const { data } = (await test.api.get(`/api/v1/call/status/${ownCall.call_id}`)).body;
    expect(data.status).toBe('queued');
  });
});
