import { TokensService } from '../../src/platform/tokens/tokens.service';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { expectFailure } from '../support/database/failures';
import { forged, partsOf, unsigned } from '../support/authorisation/forged-tokens';
import { newRecording, recorded } from '../support/contexts/recordings';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { TestSocket } from '../support/sockets/socket';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';

const SECRET = 'the secret that signs tickets here';
const PLAY = '/api/v1/recordings/play';

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
const storage = new StorageFolder();

beforeAll(async () => {
  test = await startTestApp({ env: { ...storage.env, JWT_SECRET: SECRET, QUEUE_ABSENCE_SECONDS: '36000' } });
  tenant = await TestTenant.register(test);
  ({ link } = await tenant.queue({ max_queue_size: 1000 }));
  agent = await tenant.member('attendant');
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

const ticketPath = (callId: string, query = '') => `/api/v1/calls/${callId}/recording/ticket${query}`;

/** A call with a recording, and a ticket for it. */
async function aTicket(content = newRecording()) {
  const { call_id: callId } = await tenant.join(link);
  const recording = await recorded(test, callId, agent, content);
  const answer = await agent.api.post(ticketPath(callId));
  expectStatus(answer, 200);
  const { url, expires_at } = answer.body.data;
  const ticket = new URL(url, test.url).searchParams.get('ticket') ?? '';
  return { callId, recording, content, url, expires_at, ticket, answer };
}

async function play(url: string, init: RequestInit = {}) {
  const response = await fetch(test.url + url, init);
  return {
    status: response.status,
    headers: response.headers,
    content: Buffer.from(await response.arrayBuffer()),
  };
}

const withTicket = (ticket: string) => test.api.get(`${PLAY}?ticket=${encodeURIComponent(ticket)}`);

describe('a ticket', () => {
  it('is an address that is good for 5 minutes', async () => {
    const before = Date.now();
    const { answer, url, expires_at, ticket } = await aTicket();
    expect(answer.body.data).toEqual({ url: expect.any(String), expires_at: expect.any(String) });
    expect(url).toMatch(/^\/api\/v1\/recordings\/play\?ticket=[\w.-]+$/);
    const seconds = (Date.parse(expires_at) - before) / 1000;
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThan(310);
    const [, claims] = partsOf(ticket);
    expect(claims.exp).toBe(Date.parse(expires_at) / 1000);
    expect(claims.exp).toBe((claims.iat as number) + 300);
  });

  it('plays its recording to whoever has it, whole and in parts, on other origins, too', async () => {
    const { url, content, recording } = await aTicket();
    const whole = await play(url);
    expect([whole.status, whole.content]).toEqual([200, content]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/webm',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      etag: `"${recording.sha256}"`,
    });
    const part = await play(url, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.content]).toEqual([206, content.subarray(100, 200)]);
    const head = await play(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)]);
    expect((await play(url, { headers: { range: 'bytes=99999999-' } })).status).toBe(416);
    expect((await play(url, { headers: { 'if-none-match': `"${recording.sha256}"` } })).status).toBe(304);
  });

  it('is for the newest, or for the one that is named, and stays so', async () => {
    const first = await aTicket();
    test.clock.advance(1);
    const later = newRecording();
    await recorded(test, first.callId, agent, later);
    expect((await play(first.url)).content).toEqual(first.content);
    const answers = [
      await agent.api.post(ticketPath(first.callId)),
      await agent.api.post(ticketPath(first.callId, `?recording_id=${first.recording.id}`)),
    ];
    const contents = [];
    for (const { body } of answers) contents.push((await play(body.data.url)).content);
    expect(contents).toEqual([later, first.content]);
  });

  it('is not given for what is not there', async () => {
    const { callId, recording } = await aTicket();
    const { call_id: other } = await tenant.join(link);
    const { api } = agent;
    expectFailure(await api.post(ticketPath(other)), 404, { code: 'not_found' });
    expectFailure(await api.post(ticketPath(other, `?recording_id=${recording.id}`)), 404);
    expectFailure(await api.post(ticketPath(callId, `?recording_id=${someId()}`)), 404);
    expectFailure(await api.post(ticketPath(callId, '?recording_id=x')), 400);
    expectFailure(await test.api.post(ticketPath(callId)), 401);
    expectFailure(await (await TestTenant.register(test)).owner.api.post(ticketPath(callId)), 404);
  });

  it('ends with the session in which it was asked for', async () => {
    const { callId } = await aTicket();
    const leaver = await tenant.member('attendant');
    const { url } = (await leaver.api.post(ticketPath(callId))).body.data;
    expect((await play(url)).status).toBe(200);
    expectStatus(await leaver.api.post('/api/auth/logout'), 204);
    expectFailure(await test.api.get(url), 401, { code: 'session_ended' });
  });

  it('for a recording that was deleted since is 404, and so is one of a suspended company', async () => {
    const { callId, url } = await aTicket();
    expectStatus(await tenant.owner.api.delete(`/api/v1/calls/${callId}/recording`), 204);
    expectFailure(await test.api.get(url), 404, { code: 'not_found' });

    const own = await TestTenant.register(test);
    const { call_id } = await own.join((await own.queue()).link);
    await recorded(test, call_id, own.owner);
    const { body } = await own.owner.api.post(ticketPath(call_id));
    expect((await play(body.data.url)).status).toBe(200);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [own.id]);
    expectFailure(await test.api.get(body.data.url), 404);
  });
});

const NOW = () => Math.floor(Date.now() / 1000);

describe('no ticket is', () => {
  it.each<[string, (good: Awaited<ReturnType<typeof aTicket>>) => string, string]>([
    [
      'an expired one',
      ({ ticket }) => forged(ticket, { claims: { exp: NOW() - 1 }, secret: SECRET }),
      'token_expired',
    ],
    [
      'one that never expires',
      ({ ticket }) => forged(ticket, { claims: { exp: undefined }, secret: SECRET }),
      'token_invalid',
    ],
    ['rubbish', () => 'garbage', 'token_invalid'],
    ['nothing', () => '', 'token_invalid'],
    ['one that was cut', ({ ticket }) => ticket.slice(0, -2), 'token_invalid'],
    ['one without a signature', ({ ticket }) => `${unsigned(ticket)}.`, 'token_invalid'],
    ['one of no algorithm', ({ ticket }) => forged(ticket, { header: { alg: 'none' } }), 'token_invalid'],
    ['one that somebody else signed', ({ ticket }) => forged(ticket, { secret: 'a guess' }), 'token_invalid'],
    [
      'one for another recording',
      ({ ticket }) => `${unsigned(ticket, { claims: { recording_id: someId() } })}.${ticket.split('.')[2]}`,
      'token_invalid',
    ],
    [
      'one for another audience',
      ({ ticket }) => forged(ticket, { claims: { aud: 'staff' }, secret: SECRET }),
      'token_invalid',
    ],
    ['an access token', () => agent.token, 'token_invalid'],
    ['a refresh token', () => agent.refresh_token, 'token_invalid'],
    [
      'an access token that names the recording',
      ({ recording }) => test.get(TokensService).sign('staff', { sub: recording.id, tid: tenant.id }, 60),
      'token_invalid',
    ],
  ])('%s: 401', async (_what, make, code) => {
    const good = await aTicket();
    expectFailure(await withTicket(make(good)), 401, { code });
    expect((await withTicket(good.ticket)).status).toBe(200);
  });

  it('a customer’s token', async () => {
    const { websocket_token } = await tenant.join(link);
    expectFailure(await withTicket(websocket_token), 401);
  });

  it('one of another company for a recording of this one: 401', async () => {
    const { ticket } = await aTicket();
    const other = await TestTenant.register(test);
    const foreign = forged(ticket, { claims: { tid: other.id }, secret: SECRET });
    expectFailure(await withTicket(foreign), 401);
  });

  it('none at all, or several: 400', async () => {
    const { ticket } = await aTicket();
    expectFailure(await test.api.get(PLAY), 400, { field: 'ticket' });
    expectFailure(await test.api.get(`${PLAY}?ticket=${ticket}&ticket=${ticket}`), 400);
    // Nor does an access token open the route.
    expectFailure(await agent.api.get(PLAY), 400);
  });
});

describe('a ticket opens nothing else', () => {
  it('no route of staff, no call of customers, no socket', async () => {
    const { ticket, callId } = await aTicket();
    const api = test.api.as(ticket);
    for (const path of [
      `calls/${callId}`,
      `calls/${callId}/recording`,
      `calls/${callId}/recordings`,
      'users/me',
    ]) {
      expectFailure(await api.get(`/api/v1/${path}`), 401);
      expectFailure(await test.api.get(`/api/v1/${path}?ticket=${ticket}&access_token=${ticket}`), 401);
    }
    expectFailure(await api.post(ticketPath(callId)), 401);
    expectFailure(await api.post(`/api/v1/call/cancel/${callId}`), 401);
    expectFailure(await test.api.post('/api/v1/call/resume', { websocket_token: ticket }), 401);
    expectFailure(await test.api.post('/api/auth/refresh', { refresh_token: ticket }), 401);
    await expect(TestSocket.connect(test.url, ticket)).rejects.toThrow();
  });
});

describe('the log', () => {
  beforeAll(ensureBuilt, 120_000);
  afterAll(stopServices);

  it('has a line for every play, and no ticket in any line', async () => {
    const dataDir = new DataDir();
    const service = await ServiceProcess.start({
      ...storage.env,
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: dataDir.path,
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'trace',
      SEED_DEMO: 'false',
    });
    try {
      const { url, ticket, content } = await aTicket();
      const played = await fetch(service.url + url);
      expect(Buffer.from(await played.arrayBuffer())).toEqual(content);
      expect((await fetch(`${service.url}${PLAY}?x=1&TICKET=${ticket}`)).status).toBe(400);
      expect((await fetch(`${service.url}${PLAY}?ticket=${ticket}x`)).status).toBe(401);
      await service.stop();
      expect(service.output).toContain(`"url":"${PLAY}?ticket=[redacted]"`);
      expect(service.output.match(/"url":"\/api\/v1\/recordings\/play/g)).toHaveLength(3);
      expect(service.output).not.toContain(ticket.slice(0, 60));
    } finally {
      await service.stop();
      dataDir.remove();
    }
  });
});
