import { documentedFetch } from '../support/http/documented-fetch';
import { TokensService } from '../../src/platform/tokens/tokens.service';
import { dayOf } from '../../src/platform/clock/time-zone';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { forged, partsOf, unsigned } from '../support/authorisation/forged-tokens';
import { auditedAbout } from '../support/contexts/audit-rows';
import { codeOf } from '../support/contexts/mfa';
import { newRecording, createRecording } from '../support/contexts/recordings';
import { TestSocket } from '../support/sockets/socket';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';

const SECRET = 'the secret that signs tickets here';
const PLAY_PATH = '/api/v1/recordings/play';

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

/** Creates a call with a recording and issues a ticket for it. */
async function issueTicket(content = newRecording()) {
  const { call_id: callId } = await tenant.join(link);
  const recording = await createRecording(test, callId, agent, content);
  const answer = await agent.api.post(ticketPath(callId));
  expectStatus(answer, 200);
  const { url, expires_at } = answer.body.data;
  const ticket = new URL(url, test.url).searchParams.get('ticket') ?? '';
  return { callId, recording, content, url, expires_at, ticket, answer };
}

async function play(url: string, init: RequestInit = {}) {
  const response = await documentedFetch(test.url + url, init);
  return {
    status: response.status,
    headers: response.headers,
    content: Buffer.from(await response.arrayBuffer()),
  };
}

const playWithTicket = (ticket: string) => test.api.get(`${PLAY_PATH}?ticket=${encodeURIComponent(ticket)}`);

describe('a playback ticket', () => {
  it('is a URL that is valid for 5 minutes', async () => {
    const before = Date.now();
    const { answer, url, expires_at, ticket } = await issueTicket();
    expect(answer.body.data).toEqual({ url: expect.any(String), expires_at: expect.any(String) });
    expect(url).toMatch(/^\/api\/v1\/recordings\/play\?ticket=[\w.-]+$/);
    const seconds = (Date.parse(expires_at) - before) / 1000;
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThan(310);
    const [, claims] = partsOf(ticket);
    expect(claims.exp).toBe(Date.parse(expires_at) / 1000);
    expect(claims.exp).toBe((claims.iat as number) + 300);
  });

  it('saves its recording under a name, if the URL asks for a download', async () => {
    const { url, content, recording } = await issueTicket();
    const saved = await play(`${url}&download=true`);
    expect([saved.status, saved.content]).toEqual([200, content]);
    expect(saved.headers.get('content-disposition')).toBe(
      `attachment; filename=recording-${dayOf(new Date(recording.inserted_at), 'America/Sao_Paulo')}.webm`,
    );
    expect((await play(`${url}&download=`)).status).toBe(400);
  });

  it('plays its recording without a token, in full and in ranges, also on other origins', async () => {
    const { url, content, recording } = await issueTicket();
    const whole = await play(url);
    expect([whole.status, whole.content]).toEqual([200, content]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/webm',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
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

  it('plays the recording that was the newest, or named by recording_id, when it was issued', async () => {
    const first = await issueTicket();
    test.clock.advance(1);
    const later = newRecording();
    await createRecording(test, first.callId, agent, later);
    expect((await play(first.url)).content).toEqual(first.content);
    const answers = [
      await agent.api.post(ticketPath(first.callId)),
      await agent.api.post(ticketPath(first.callId, `?recording_id=${first.recording.id}`)),
    ];
    const contents = [];
    for (const { body } of answers) contents.push((await play(body.data.url)).content);
    expect(contents).toEqual([later, first.content]);
  });

  it('is not issued for a missing recording, a malformed id or another tenant', async () => {
    const { callId, recording } = await issueTicket();
    const { call_id: other } = await tenant.join(link);
    const { api } = agent;
    expectFailure(await api.post(ticketPath(other)), 404, { code: 'not_found' });
    expectFailure(await api.post(ticketPath(other, `?recording_id=${recording.id}`)), 404);
    expectFailure(await api.post(ticketPath(callId, `?recording_id=${someId()}`)), 404);
    expectFailure(await api.post(ticketPath(callId, '?recording_id=x')), 400);
    expectFailure(await test.api.post(ticketPath(callId)), 401);
    expectFailure(await (await TestTenant.register(test)).owner.api.post(ticketPath(callId)), 404);
  });

  it('is rejected after the session that requested it has ended', async () => {
    const { callId } = await issueTicket();
    const member = await tenant.member('attendant');
    const { url } = (await member.api.post(ticketPath(callId))).body.data;
    expect((await play(url)).status).toBe(200);
    expectStatus(await member.api.post('/api/auth/logout'), 204);
    expectFailure(await test.api.get(url), 401, { code: 'session_ended' });
  });

  it('is rejected after its recording was deleted or its tenant was suspended', async () => {
    const { callId, url } = await issueTicket();
    expectStatus(await tenant.owner.api.delete(`/api/v1/calls/${callId}/recording`), 204);
    expectFailure(await test.api.get(url), 401, { code: 'token_invalid' });

    const suspended = await TestTenant.register(test);
    const { call_id } = await suspended.join((await suspended.queue()).link);
    await createRecording(test, call_id, suspended.owner);
    const { body } = await suspended.owner.api.post(ticketPath(call_id));
    expect((await play(body.data.url)).status).toBe(200);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [suspended.id]);
    expectFailure(await test.api.get(body.data.url), 401);
  });
});

describe('a playback ticket ends with the right to see the call', () => {
  let company: TestTenant;
  let department: Json;
  let callId: string;

  beforeEach(async () => {
    company = await TestTenant.register(test);
    const queue = await company.queue();
    ({ department } = queue);
    callId = (await company.join(queue.link)).call_id;
    await createRecording(test, callId, company.owner);
  });

  const urlFor = async (member: Member): Promise<string> => {
    const answer = await member.api.post(ticketPath(callId));
    expectStatus(answer, 200);
    expect((await play(answer.body.data.url)).status).toBe(200);
    return answer.body.data.url;
  };

  const change = async ({ id }: { id: string }, changes: Json) =>
    expectStatus(await company.owner.api.put(`/api/v1/users/${id}`, changes), 200);
  const restrict = async () =>
    expectStatus(await company.owner.api.put('/api/v1/tenant', { restrict_attendants: true }), 200);

  it.each<[string, (member: Member) => Promise<unknown>, string]>([
    ['the user is deactivated', (member) => change(member, { active: false }), 'session_ended'],
    [
      'a manager sets their password',
      (member) => change(member, { password: 'a new passphrase' }),
      'session_ended',
    ],
    ['attendants are restricted to their departments', restrict, 'token_invalid'],
  ])('when %s', async (_what, end, code) => {
    const member = await company.member('attendant');
    const url = await urlFor(member);
    await end(member);
    for (const headers of [undefined, { range: 'bytes=0-' }]) {
      expectFailure(await test.api.get(url, { headers }), 401, { code });
    }
  });

  it('when their role is lowered, or when they leave the department', async () => {
    await restrict();
    const supervisor = await company.member('supervisor');
    const attendant = await company.member('attendant', [department.id]);
    const urls = [await urlFor(supervisor), await urlFor(attendant)];
    await change(supervisor, { role: 'attendant' });
    expectStatus(
      await company.owner.api.delete(`/api/v1/departments/${department.id}/users/${attendant.id}`),
      204,
    );
    for (const url of urls) expectFailure(await test.api.get(url), 401, { code: 'token_invalid' });
  });

  it('when the company requires MFA, which the user has not set up', async () => {
    const { api } = company.owner;
    const { secret } = (await api.post('/api/v1/users/me/mfa')).body.data;
    expectStatus(await api.post('/api/v1/users/me/mfa/confirm', { code: codeOf(test, secret) }), 200);
    const url = await urlFor(await company.member('attendant'));
    expectStatus(await api.put('/api/v1/tenant', { mfa_required: true }), 200);
    expectFailure(await test.api.get(url), 401, { code: 'token_invalid' });
  });
});

const entriesOf = async (id: string) =>
  (await auditedAbout(test, id))
    .filter(({ action }) => action !== 'recording.ready')
    .map(({ action, user_id, address, details }) => ({ action, user_id, address, details }));
const by = () => ({ user_id: agent.id, address: '127.0.0.1' });

describe('the audit log', () => {
  it('has one entry for a ticket, and one for what it plays and saves in any number of parts', async () => {
    const { url, callId, recording } = await issueTicket();
    const [issued] = await entriesOf(recording.id);
    const details = { call_id: callId, ticket_id: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(issued).toEqual({ ...by(), action: 'recording.ticket_issued', details });
    await play(url, { method: 'HEAD' });
    await play(url, { headers: { 'if-none-match': `"${recording.sha256}"` } });
    await play(url, { headers: { range: 'bytes=99999999-' } });
    expect(await entriesOf(recording.id)).toEqual([issued]);

    const parts = Array.from({ length: 12 }, (_, n) => ({ range: `bytes=${n * 10}-${n * 10 + 9}` }));
    const played = await Promise.all(parts.map((headers) => play(url, { headers })));
    expect(played.map(({ status }) => status)).toEqual(parts.map(() => 206));
    await play(url);
    await Promise.all([play(`${url}&download=true`), play(`${url}&download=true`)]);
    expect(await entriesOf(recording.id)).toEqual([
      { ...by(), action: 'recording.downloaded', details: issued?.details },
      { ...by(), action: 'recording.played', details: issued?.details },
      issued,
    ]);

    const again = await agent.api.post(ticketPath(callId));
    await play(again.body.data.url);
    const actions = (await entriesOf(recording.id)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'recording.played')).toHaveLength(2);
  });

  it('has an entry for each download with an access token, whose parts are one', async () => {
    const { callId, recording, content } = await issueTicket();
    const path = `/api/v1/calls/${callId}/recording`;
    const authorization = `Bearer ${agent.token}`;
    const downloads = async () =>
      (await entriesOf(recording.id)).filter(({ action }) => action === 'recording.downloaded');
    const parts = Array.from({ length: 8 }, (_, n) => ({ authorization, range: `bytes=${n + 1}-` }));
    const answers = await Promise.all(parts.map((headers) => play(path, { headers })));
    expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 206));
    expect(await downloads()).toEqual([
      {
        ...by(),
        action: 'recording.downloaded',
        details: { call_id: callId, session_id: expect.any(String) },
      },
    ]);
    expect((await play(path, { headers: { authorization } })).content).toEqual(content);
    expect(await downloads()).toHaveLength(2);
    test.clock.advance(301);
    await play(path, { headers: { authorization, range: 'bytes=1-' } });
    expect(await downloads()).toHaveLength(3);
  });

  it('is written before the content is sent: without an entry there is none', async () => {
    const { url } = await issueTicket();
    await test.db.query(
      `ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (action <> 'recording.played') NOT VALID`,
    );
    expect((await test.api.get(url)).status).toBe(500);
    await test.db.query('ALTER TABLE audit_log DROP CONSTRAINT full_disk');
    expect((await play(url)).status).toBe(200);
  });
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('playing a recording', () => {
  it.each<[string, (valid: Awaited<ReturnType<typeof issueTicket>>) => string, string]>([
    [
      'an expired ticket',
      ({ ticket }) => forged(ticket, { claims: { exp: nowSeconds() - 1 }, secret: SECRET }),
      'token_expired',
    ],
    [
      'a ticket that never expires',
      ({ ticket }) => forged(ticket, { claims: { exp: undefined }, secret: SECRET }),
      'token_invalid',
    ],
    ['a string that is no token', () => 'garbage', 'token_invalid'],
    ['an empty ticket', () => '', 'token_invalid'],
    ['a truncated ticket', ({ ticket }) => ticket.slice(0, -2), 'token_invalid'],
    ['a ticket without a signature', ({ ticket }) => `${unsigned(ticket)}.`, 'token_invalid'],
    [
      'a ticket with the algorithm "none"',
      ({ ticket }) => forged(ticket, { header: { alg: 'none' } }),
      'token_invalid',
    ],
    [
      'a ticket signed with another secret',
      ({ ticket }) => forged(ticket, { secret: 'a guess' }),
      'token_invalid',
    ],
    [
      'a ticket changed to another recording',
      ({ ticket }) => `${unsigned(ticket, { claims: { recording_id: someId() } })}.${ticket.split('.')[2]}`,
      'token_invalid',
    ],
    [
      'a ticket for another audience',
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
  ])('rejects %s with 401', async (_what, make, code) => {
    const valid = await issueTicket();
    expectFailure(await playWithTicket(make(valid)), 401, { code });
    expect((await playWithTicket(valid.ticket)).status).toBe(200);
  });

  it('rejects a customer’s token with 401', async () => {
    const { websocket_token } = await tenant.join(link);
    expectFailure(await playWithTicket(websocket_token), 401);
  });

  it('rejects a ticket that names another tenant with 401', async () => {
    const { ticket } = await issueTicket();
    const other = await TestTenant.register(test);
    const foreign = forged(ticket, { claims: { tid: other.id }, secret: SECRET });
    expectFailure(await playWithTicket(foreign), 401);
  });

  it('rejects a missing or repeated ticket with 400', async () => {
    const { ticket } = await issueTicket();
    expectFailure(await test.api.get(PLAY_PATH), 400, { field: 'ticket' });
    expectFailure(await test.api.get(`${PLAY_PATH}?ticket=${ticket}&ticket=${ticket}`), 400);
    // An access token does not replace the ticket.
    expectFailure(await agent.api.get(PLAY_PATH), 400);
  });
});

describe('a playback ticket used as a token', () => {
  it('opens no staff route, no customer route and no socket', async () => {
    const { ticket, callId } = await issueTicket();
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
