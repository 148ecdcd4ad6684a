import type { Answer, Json } from '../support/http/api';
import {
  BAD_TOKENS,
  type BadToken,
  FORMER_SECRET,
  PRESENT_SECRET,
  type Purse,
} from '../support/authorisation/bad-tokens';
import { expectStatus, TestTenant } from '../support/builders';
import { cloneDatabase } from '../support/database/database';
import { expectFailure } from '../support/database/failures';
import { challenge, enrolledMember } from '../support/contexts/mfa';
import { passwordToken } from '../support/contexts/password-token';
import { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';

const ME = '/api/v1/users/me';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let test: TestApp;
let purse: Purse;
/** Of a session that was opened while the former secret signed. */
let former: string;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  database = await cloneDatabase();
  const dropped = await tokenUnder('a secret of the day before yesterday');
  former = await tokenUnder(FORMER_SECRET);
  test = await startTestApp({
    databaseUrl: database.url,
    env: { JWT_SECRET: `${PRESENT_SECRET},${FORMER_SECRET}` },
  });
  purse = await fill(dropped);
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

/** An access token of a service that signed with this secret. */
async function tokenUnder(secret: string): Promise<string> {
  const past = await startTestApp({ databaseUrl: database.url, env: { JWT_SECRET: secret } });
  const { owner } = await TestTenant.register(past);
  await past.close();
  return owner.token;
}

async function fill(dropped: string): Promise<Purse> {
  const [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
  const { link } = await tenant.queue({ max_queue_size: 1000 });
  const member = await tenant.member();
  const enrolled = await enrolledMember(test, tenant);
  const mfa_token = await challenge(test, tenant, enrolled.member);
  const reset_token = await passwordToken(test, tenant, member);
  return { test, tenant, other, member, link, mfa_token, reset_token, dropped };
}

async function refusal(token: unknown, options: object = {}): Promise<Json> {
  const socket = TestSocket.open(test.url, token as string, options);
  const error = await new Promise<Json>((resolve, reject) => {
    socket.io.once('connect_error', resolve);
    socket.io.once('snapshot', () => reject(new Error('the socket was let in')));
  }).finally(() => socket.close());
  expect(socket.received).toEqual([]);
  return error.data;
}

/** By routes, by the socket, and by sockets that are open. */
async function refusedEverywhere(_what: string, bad: BadToken): Promise<void> {
  const { rest = ['unauthenticated'], socket = 'token_invalid', renewal = socket } = bad;
  const token = await bad.token(purse);
  const [code, status = 401] = rest;
  const answer = await test.api.get(ME, { token });
  if (code) expectFailure(answer, status, { code });
  else expect(answer.status).toBe(status);
  if (socket) expect(await refusal(token)).toEqual({ code: socket, detail: expect.stringMatching(/\S/) });

  const { websocket_token, call_id } = await purse.tenant.join(purse.link);
  const [staff, customer] = [await connect(purse.member.token), await connect(websocket_token)];
  for (const each of [staff, customer]) {
    const ack = await each.send('authenticate', { token });
    expect(ack).toMatchObject({ ok: false, error: { code: renewal ?? 'token_invalid' } });
  }
  // Nothing has become of the sockets by that.
  expect(await staff.send('snapshot')).toMatchObject({ ok: true, data: { presence: 'online' } });
  expect(await customer.send('snapshot')).toMatchObject({ ok: true, data: { call_id } });
}

const named = (tokens: BadToken[]) => tokens.map((bad) => [bad.what, bad] as const);

describe('a token that opens nothing', () => {
  it.each(named(BAD_TOKENS))('is refused: %s', refusedEverywhere);

  it('is not the member’s own, nor one of a session from before the secret changed', async () => {
    for (const token of [purse.member.token, former]) {
      expectStatus(await test.api.get(ME, { token }), 200);
      await connect(token);
    }
  });
});

describe('a good access token', () => {
  it.each<[string, (token: string) => Promise<Answer>]>([
    ['in the query', (token) => test.api.get(`${ME}?access_token=${token}&token=${token}`)],
    ['in a cookie', (token) => test.api.get(ME, header('cookie', `access_token=${token}; token=${token}`))],
    ['in a header of its own', (token) => test.api.get(ME, header('x-access-token', token))],
    ['without Bearer', (token) => test.api.get(ME, header('authorization', token))],
    ['as Basic', (token) => test.api.get(ME, header('authorization', `Basic ${token}`))],
    ['after nothing', (token) => test.api.get(ME, header('authorization', `Bearer , Bearer ${token}`))],
    ['in the body', (token) => test.api.post('/api/auth/logout', { access_token: token, token })],
    ['nowhere', () => test.api.get(ME)],
    ['nowhere, though announced', () => test.api.get(ME, header('authorization', 'Bearer '))],
  ])('is not looked for %s', async (_where, send) => {
    expectFailure(await send(purse.member.token), 401, { code: 'unauthenticated' });
  });

  it.each<[string, object]>([
    ['in the query', { query: { token: 'TOKEN' } }],
    ['in a header', { extraHeaders: { authorization: 'Bearer TOKEN' } }],
    ['in an object', { auth: { token: { token: 'TOKEN' } } }],
    ['under another name', { auth: { access_token: 'TOKEN' } }],
    ['nowhere', {}],
  ])('is not looked for %s by the socket', async (_where, place) => {
    const options = JSON.parse(JSON.stringify(place).replace('TOKEN', purse.member.token));
    expect(await refusal(undefined, { auth: {}, ...options })).toMatchObject({ code: 'token_invalid' });
  });

  it('of another tenant is refused with this one’s name, and on a socket of this one', async () => {
    const { tenant, other, member } = purse;
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

describe('a token in place of another', () => {
  it.each<[string, string, (purse: Purse) => Promise<Answer>, number, string]>([
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
  ])('is refused: %s as %s', async (_given, _wanted, send, status, code) => {
    expectFailure(await send(purse), status, { code });
  });

  it('does not cancel a call: only its own websocket_token does', async () => {
    const { tenant, link, member } = purse;
    const [mine, theirs] = [await tenant.join(link), await tenant.join(link)];
    const cancel = (token: string) =>
      test.api.post(`/api/v1/call/cancel/${mine.call_id}`, undefined, { token });
    for (const token of [member.token, member.refresh_token]) {
      expectFailure(await cancel(token), 401, { code: 'token_invalid' });
    }
    expectFailure(await cancel(theirs.websocket_token), 404);
    const { data } = (await test.api.get(`/api/v1/call/status/${mine.call_id}`)).body;
    expect(data.status).toBe('queued');
  });
});
