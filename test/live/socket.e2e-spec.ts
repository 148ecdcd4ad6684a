import type { Json } from '../support/http/api';
import { login, type Member, someId, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { tokenFor } from '../support/http/tokens';
import { until } from '../support/until';

/** How an event is refused. */
const refused = (code: string) => ({ ok: false, error: { code, detail: expect.stringMatching(/\S/) } });

const cut = (socket: TestSocket) =>
  until(
    () => !socket.io.connected,
    () => 'the socket is still open',
  );

describe('the socket', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let agent: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100 }));
    agent = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  describe('answers every event', () => {
    it.each(['no_such_event', 'call_started', 'Signal', '__proto__', 'chat'])('also %s', async (event) => {
      const { websocket_token } = await tenant.join(link);
      for (const token of [websocket_token, agent.token]) {
        expect(await (await connect(token)).send(event, { call_id: someId() })).toEqual(
          refused('unknown_event'),
        );
      }
    });

    const payloads: [string, unknown][] = [
      ['nothing', undefined],
      ['null', null],
      ['a text', 'text'],
      ['a number', 7],
      ['a list', [{ call_id: 'x' }]],
      ['an empty object', {}],
      ['wrong types', { call_id: 7, token: {}, presence: ['away'], description: 'offer', candidate: 1 }],
      ['unknown words', { call_id: 'x', token: 'x', presence: 'busy', description: { type: 'bye' } }],
      ['a NUL byte', { call_id: '\0', token: '\0', presence: '\0', candidate: { candidate: '\0' } }],
    ];

    it.each(payloads)('whatever it carries: %s', async (_what, payload) => {
      const { websocket_token } = await tenant.join(link);
      for (const token of [websocket_token, agent.token]) {
        const socket = await connect(token);
        for (const event of ['authenticate', 'join_call', 'signal', 'end_call', 'set_presence']) {
          const ack = await socket.send(event, payload);
          expect({ event, ack }).toEqual({ event, ack: refused(ack.error?.code) });
          expect(ack.error.code).toMatch(/^(validation_failed|invalid_transition|forbidden|token_invalid)$/);
        }
        expect(await socket.send('snapshot', payload)).toMatchObject({ ok: true });
      }
    });

    it('of whoever may not send it: refused, and nothing has changed', async () => {
      const { call_id, websocket_token } = await tenant.join(link);
      const [customer, staff] = [await connect(websocket_token), await connect(agent.token)];
      expect(await customer.send('join_call', { call_id })).toEqual(refused('forbidden'));
      expect(await customer.send('set_presence', { presence: 'away' })).toEqual(refused('forbidden'));
      expect(await staff.send('leave_queue')).toEqual(refused('forbidden'));
      expect(await staff.send('join_call', { call_id })).toEqual(refused('invalid_state'));
      expect(await customer.send('end_call')).toEqual(refused('invalid_transition'));
      expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', version: 1 });
    });
  });

  describe('lives as long as its token and session', () => {
    it('renews a token that ran out, and does nothing else before', async () => {
      const member = await tenant.member();
      const [shortly, lasting] = [tokenFor(test, member, 1), tokenFor(test, member, 60)];
      const socket = await connect(shortly);
      await until(async () => (await socket.send('snapshot')).error?.code === 'token_expired');
      expect(await socket.send('set_presence', { presence: 'away' })).toMatchObject({ ok: false });
      expect(await socket.send('authenticate', { token: lasting })).toEqual({ ok: true });
      expect(await socket.send('snapshot')).toMatchObject({ ok: true, data: { presence: 'online' } });
    });

    it("refuses somebody else's token, and goes on as before", async () => {
      const [mine, theirs] = [await tenant.join(link), await tenant.join(link)];
      const colleague = await tenant.member();
      const [customer, staff] = [await connect(mine.websocket_token), await connect(agent.token)];
      for (const token of [theirs.websocket_token, agent.token, 'garbage']) {
        const ack = await customer.send('authenticate', { token });
        expect(ack).toMatchObject({ ok: false, error: { code: 'token_invalid' } });
      }
      for (const token of [colleague.token, mine.websocket_token]) {
        const ack = await staff.send('authenticate', { token });
        expect(ack).toMatchObject({ ok: false, error: { code: 'token_invalid' } });
      }
      const { data } = await customer.send('snapshot');
      expect(data.call_id).toBe(mine.call_id);
      expect(await customer.send('authenticate', { token: mine.websocket_token })).toEqual({ ok: true });
    });

    it('is cut by logging out, other sessions are not', async () => {
      const member = await tenant.member();
      const again = await login(test, tenant.slug, member.email);
      const [socket, other] = [await connect(member.token), await connect(again.token)];
      await member.api.post('/api/auth/logout');
      await cut(socket);
      expect(await other.send('snapshot')).toMatchObject({ ok: true });
    });

    it('is cut with the session that it was renewed with, not with its first one', async () => {
      const member = await tenant.member();
      const again = await login(test, tenant.slug, member.email);
      const socket = await connect(member.token);
      expect(await socket.send('authenticate', { token: again.token })).toEqual({ ok: true });
      await member.api.post('/api/auth/logout');
      expect(await socket.send('snapshot')).toMatchObject({ ok: true });
      await again.api.post('/api/auth/logout');
      await cut(socket);
    });

    it('is cut by deactivation, in all tabs', async () => {
      const member = await tenant.member();
      const tabs = [await connect(member.token), await connect(member.token)];
      await tenant.owner.api.put(`/api/v1/users/${member.id}`, { active: false });
      await Promise.all(tabs.map(cut));
      await expect(TestSocket.connect(test.url, member.token)).rejects.toMatchObject({
        data: { code: 'session_ended' },
      });
    });
  });
});
