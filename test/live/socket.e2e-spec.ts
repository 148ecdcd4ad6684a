import type { Json } from '../support/http/api';
import { login, type Member, someId, TestTenant } from '../support/builders';
import { callRow } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { tokenFor } from '../support/http/tokens';
import { until } from '../support/until';

/** The acknowledgement of a rejected event. */
const rejection = (code: string) => ({ ok: false, error: { code, detail: expect.stringMatching(/\S/) } });

/** The events that need a payload. */
const PAYLOAD_EVENTS = [
  'authenticate',
  'join_call',
  'signal',
  'end_call',
  'set_presence',
  'watch_department',
  'unwatch_department',
];

const waitUntilClosed = (socket: TestSocket) =>
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

  describe('receiving events', () => {
    it.each(['no_such_event', 'call_started', 'Signal', '__proto__', 'chat'])(
      'rejects the unknown event %s',
      async (event) => {
        const { websocket_token } = await tenant.join(link);
        for (const token of [websocket_token, agent.token]) {
          expect(await (await connect(token)).send(event, { call_id: someId() })).toEqual(
            rejection('unknown_event'),
          );
        }
      },
    );

    const payloads: [string, unknown][] = [
      ['no payload', undefined],
      ['the payload null', null],
      ['a string', 'text'],
      ['a number', 7],
      ['a list', [{ call_id: 'x' }]],
      ['an empty object', {}],
      ['wrong types', { call_id: 7, token: {}, presence: ['away'], description: 'offer', candidate: 1 }],
      ['unknown values', { call_id: 'x', token: 'x', presence: 'busy', description: { type: 'bye' } }],
      ['a NUL byte', { call_id: '\0', token: '\0', presence: '\0', candidate: { candidate: '\0' } }],
    ];

    it.each(payloads)('acknowledges every event with %s', async (_title, payload) => {
      const { websocket_token } = await tenant.join(link);
      for (const token of [websocket_token, agent.token]) {
        const socket = await connect(token);
        for (const event of PAYLOAD_EVENTS) {
          const ack = await socket.send(event, payload);
          expect({ event, ack }).toEqual({ event, ack: rejection(ack.error?.code) });
          expect(ack.error.code).toMatch(/^(validation_failed|invalid_transition|forbidden|token_invalid)$/);
        }
        expect(await socket.send('snapshot', payload)).toMatchObject({ ok: true });
      }
    });

    it('rejects events that the sender may not send and changes nothing', async () => {
      const { call_id, websocket_token } = await tenant.join(link);
      const [customer, staff] = [await connect(websocket_token), await connect(agent.token)];
      expect(await customer.send('join_call', { call_id })).toEqual(rejection('forbidden'));
      expect(await customer.send('set_presence', { presence: 'away' })).toEqual(rejection('forbidden'));
      expect(await staff.send('leave_queue')).toEqual(rejection('forbidden'));
      expect(await staff.send('join_call', { call_id })).toEqual(rejection('invalid_state'));
      expect(await customer.send('end_call')).toEqual(rejection('invalid_transition'));
      expect(await callRow(test, call_id)).toMatchObject({ status: 'queued', version: 1 });
    });
  });

  describe('lifetime', () => {
    it('continues after an expired token is renewed, and rejects other events before', async () => {
      const member = await tenant.member();
      const [expiringToken, validToken] = [tokenFor(test, member, 1), tokenFor(test, member, 60)];
      const socket = await connect(expiringToken);
      await until(async () => (await socket.send('snapshot')).error?.code === 'token_expired');
      expect(await socket.send('set_presence', { presence: 'away' })).toMatchObject({ ok: false });
      expect(await socket.send('authenticate', { token: validToken })).toEqual({ ok: true });
      expect(await socket.send('snapshot')).toMatchObject({ ok: true, data: { presence: 'online' } });
    });

    it.each(['', 'garbage', 'a.b.c'])(
      'is refused with %p, whether of staff or of a customer',
      async (token) => {
        const socket = TestSocket.open(test.url, token);
        const error = await new Promise<Json>((resolve) => socket.io.once('connect_error', resolve));
        expect(error.data).toEqual({
          code: 'token_invalid',
          detail: 'The token is not valid or has expired.',
        });
      },
    );

    it('rejects the token of another user and stays connected', async () => {
      const [ownCall, otherCall] = [await tenant.join(link), await tenant.join(link)];
      const colleague = await tenant.member();
      const [customer, staff] = [await connect(ownCall.websocket_token), await connect(agent.token)];
      for (const token of [otherCall.websocket_token, agent.token, 'garbage']) {
        const ack = await customer.send('authenticate', { token });
        expect(ack).toMatchObject({ ok: false, error: { code: 'token_invalid' } });
      }
      for (const token of [colleague.token, ownCall.websocket_token]) {
        const ack = await staff.send('authenticate', { token });
        expect(ack).toMatchObject({ ok: false, error: { code: 'token_invalid' } });
      }
      const { data } = await customer.send('snapshot');
      expect(data.call_id).toBe(ownCall.call_id);
      expect(await customer.send('authenticate', { token: ownCall.websocket_token })).toEqual({ ok: true });
    });

    it('ends when its session logs out, while other sessions stay connected', async () => {
      const member = await tenant.member();
      const secondLogin = await login(test, tenant.slug, member.email);
      const [socket, other] = [await connect(member.token), await connect(secondLogin.token)];
      await member.api.post('/api/auth/logout');
      await waitUntilClosed(socket);
      expect(await other.send('snapshot')).toMatchObject({ ok: true });
    });

    it('ends with the session of the renewed token, not with its first one', async () => {
      const member = await tenant.member();
      const secondLogin = await login(test, tenant.slug, member.email);
      const socket = await connect(member.token);
      expect(await socket.send('authenticate', { token: secondLogin.token })).toEqual({ ok: true });
      await member.api.post('/api/auth/logout');
      expect(await socket.send('snapshot')).toMatchObject({ ok: true });
      await secondLogin.api.post('/api/auth/logout');
      await waitUntilClosed(socket);
    });

    it('ends in all tabs when the user is deactivated', async () => {
      const member = await tenant.member();
      const tabs = [await connect(member.token), await connect(member.token)];
      await tenant.owner.api.put(`/api/v1/users/${member.id}`, { active: false });
      await Promise.all(tabs.map(waitUntilClosed));
      await expect(TestSocket.connect(test.url, member.token)).rejects.toMatchObject({
        data: { code: 'session_ended' },
      });
    });
  });
});
