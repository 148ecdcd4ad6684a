import { createHmac } from 'node:crypto';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { startTestApp, type TestApp } from '../support/test-app';

const TURN_SECRET = 'a secret between the service and coturn';
const PATH = '/api/v1/call/turn-credentials';
const ENV = { TURN_SECRET, PUBLIC_URL: 'https://calls.example.com' };

/** The part of the user name by which coturn counts quotas. */
const holderOf = (username: string) => username.slice(username.indexOf(':') + 1);

describe('TURN', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: ENV });
  });

  afterAll(() => test.close());

  it('issues credentials that coturn accepts', async () => {
    const { status, body } = await test.api.get(PATH);
    expect(status).toBe(200);
    const { urls, username, credential, ttl } = body.data;
    expect(Object.keys(body.data).sort()).toEqual(['credential', 'ttl', 'urls', 'username']);
    expect(urls).toEqual([
      'turn:calls.example.com:3478?transport=udp',
      'turn:calls.example.com:3478?transport=tcp',
    ]);
    expect(ttl).toBe(3600);
    expect(credential).toBe(createHmac('sha1', TURN_SECRET).update(username).digest('base64'));
    const expires = Number(username.split(':')[0]);
    expect(Math.abs(expires - test.clock.now().getTime() / 1000 - ttl)).toBeLessThan(5);
    const second = await test.api.get(PATH);
    expect(second.body.data.username).not.toBe(username);
  });

  it('ignores invalid tokens while it is open', async () => {
    expectStatus(await test.api.get(PATH, { token: 'garbage' }), 200);
    expectStatus(await test.api.get(`${PATH}?token=unknown`), 200);
  });
});

describe('TURN that is not open', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp({ env: { ...ENV, TURN_OPEN: 'false', TRUST_PROXY: 'loopback' } });
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
    ({ link } = await tenant.queue());
  });

  afterAll(() => test.close());

  async function expectHolder(id: string, path: string, request: { token?: string } = {}): Promise<void> {
    for (let n = 0; n < 2; n++) {
      const answer = await test.api.get(path, request);
      expectStatus(answer, 200);
      expect(holderOf(answer.body.data.username)).toBe(id);
    }
  }

  it('issues credentials of a call or a user, always with the same name', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    await expectHolder(call_id, PATH, { token: websocket_token });
    await expectHolder(agent.id, PATH, { token: agent.token });
    await expectHolder(agent.id, `${PATH}?token=unknown`, { token: agent.token });
  });

  it('issues credentials of a link for each client address, always with the same name', async () => {
    const holderFrom = async (address: string, { token } = link) => {
      const headers = { 'x-forwarded-for': address };
      const answer = await test.api.get(`${PATH}?token=${token}`, { headers });
      expectStatus(answer, 200);
      return holderOf(answer.body.data.username);
    };
    const holder = await holderFrom('198.51.100.7');
    expect(holder).toMatch(new RegExp(`^${link.id}-[0-9a-f]{12}$`));
    expect(await holderFrom('198.51.100.7')).toBe(holder);
    expect(await holderFrom('198.51.100.8')).not.toBe(holder);
    expect(await holderFrom('2001:db8:1:2::a')).toBe(await holderFrom('2001:db8:1:2::b'));
    const otherLink = await tenant.link(link.department_id);
    expect((await holderFrom('198.51.100.7', otherLink)).slice(-12)).not.toBe(holder.slice(-12));
  });

  it('is 401 without a token, or with an invalid one', async () => {
    expectFailure(await test.api.get(PATH), 401, { code: 'unauthenticated' });
    for (const token of ['', 'unknown', 'a%20b', agent.token.slice(0, 100)]) {
      expectFailure(await test.api.get(`${PATH}?token=${token}`), 401, { code: 'unauthenticated' });
    }
    expectFailure(await test.api.get(PATH, { token: 'garbage' }), 401, { code: 'token_invalid' });
    for (const token of ['%00', 'x'.repeat(129)]) {
      expectFailure(await test.api.get(`${PATH}?token=${token}`), 400);
    }
  });

  it('is 401 after the end of a call, a session or a link', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    await test.db.query(`UPDATE calls SET ended_at = ended_at - interval '15 minutes' WHERE id = $1`, [
      call_id,
    ]);
    expectFailure(await test.api.get(PATH, { token: websocket_token }), 401, { code: 'token_expired' });
    const leaver = await tenant.member();
    expectStatus(await leaver.api.post('/api/auth/logout'), 204);
    expectFailure(await test.api.get(PATH, { token: leaver.token }), 401, { code: 'session_ended' });
    const cancelled = await tenant.link(link.department_id);
    expectStatus(await tenant.owner.api.post(`/api/v1/access-links/${cancelled.id}/cancel`), 200);
    expectFailure(await test.api.get(`${PATH}?token=${cancelled.token}`), 401, { code: 'unauthenticated' });
  });
});
