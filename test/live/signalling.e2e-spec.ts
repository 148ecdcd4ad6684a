import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

const offer = (sdp: string) => ({ description: { type: 'offer', sdp } });

/** Everything that the sockets were sent before now has arrived. */
const settle = (...sockets: TestSocket[]) => Promise.all(sockets.map((socket) => socket.send('snapshot')));

describe('signalling', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  let ana: Member;
  let bob: Member;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    const { department, link: entrance } = await tenant.queue({ max_queue_size: 100 });
    link = entrance;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const move = (id: string, action: string, who = ana, body?: object) =>
    who.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** A customer and Ana, who has the call and has joined it. */
  async function assigned() {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await move(call_id, 'assign');
    const staff = await connect(ana.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }

  it('relays signals to the other side alone, to all of its tabs', async () => {
    const { call_id, websocket_token, customer, staff } = await assigned();
    const stranger = await connect((await tenant.join(link)).websocket_token);
    const other = await TestTenant.register(test);
    const bystanders = [
      stranger,
      await connect(bob.token),
      await connect(tenant.owner.token),
      await connect(other.owner.token),
      // Ana's second tab is connected, but has not joined the call.
      await connect(ana.token),
    ];
    const customerTab = await connect(websocket_token);

    expect(await staff.send('signal', OFFER)).toEqual({ ok: true });
    for (const tab of [customer, customerTab]) {
      expect(await tab.waitFor('signal')).toEqual({
        call_id,
        at: expect.any(String),
        version: 2,
        from: 'agent',
        ...OFFER,
      });
    }
    const candidate = {
      candidate: 'candidate:1 1 udp',
      sdpMid: '0',
      sdpMLineIndex: 0,
      usernameFragment: null,
    };
    expect(await customer.send('signal', { candidate })).toEqual({ ok: true });
    expect(await staff.waitFor('signal')).toMatchObject({ call_id, from: 'customer', candidate });
    await settle(customer, customerTab, staff, ...bystanders);
    for (const bystander of bystanders) expect(bystander.all('signal')).toEqual([]);
    expect([customer, customerTab, staff].map((tab) => tab.all('signal').length)).toEqual([1, 1, 1]);
  });

  it('takes signals of outsiders for nothing', async () => {
    const { call_id, customer, staff } = await assigned();
    const other = await TestTenant.register(test);
    for (const [member, code] of [
      [bob, 'not_your_call'],
      [tenant.owner, 'not_your_call'],
      [other.owner, 'invalid_state'],
    ] as const) {
      const outsider = await connect(member.token);
      const ack = await outsider.send('signal', { call_id, ...OFFER });
      expect(ack).toMatchObject({ ok: false, error: { code } });
      const entering = await outsider.send('join_call', { call_id });
      const expected = member === other.owner ? 'not_found' : 'not_your_call';
      expect(entering).toMatchObject({ ok: false, error: { code: expected } });
    }
    // A customer's signals go to their own call, whatever they name.
    const stranger = await connect((await tenant.join(link)).websocket_token);
    expect(await stranger.send('signal', { call_id, ...OFFER })).toMatchObject({ ok: false });
    await settle(customer, staff);
    expect([...customer.all('signal'), ...staff.all('signal')]).toEqual([]);
  });

  it('relays only while the call is assigned or active', async () => {
    const entry = await tenant.join(link);
    const waiting = await connect(entry.websocket_token);
    const refused = { ok: false, error: { code: 'invalid_state', detail: expect.any(String) } };
    expect(await waiting.send('signal', OFFER)).toEqual(refused);
    const { call_id, customer, staff } = await assigned();
    expect(await customer.send('signal', OFFER)).toEqual({ ok: true });
    await move(call_id, 'start');
    expect(await staff.send('signal', OFFER)).toEqual({ ok: true });
    await move(call_id, 'complete');
    expect(await customer.send('signal', OFFER)).toEqual(refused);
    expect(await staff.send('signal', { call_id, ...OFFER })).toEqual(refused);
  });

  it('refuses a signal of more than 64 KiB, and the line holds', async () => {
    const { customer, staff } = await assigned();
    const frame = JSON.stringify(offer('')).length;
    const tooLarge = { ok: false, error: { code: 'payload_too_large' } };
    expect(await customer.send('signal', offer('x'.repeat(65_537 - frame)))).toMatchObject(tooLarge);
    expect(await customer.send('signal', offer('x'.repeat(200_000)))).toMatchObject(tooLarge);
    // Bytes count, not letters.
    expect(await customer.send('signal', offer('é'.repeat(40_000)))).toMatchObject(tooLarge);
    expect(await customer.send('signal', offer('x'.repeat(65_536 - frame)))).toEqual({ ok: true });
    await staff.waitFor('signal');
    expect(staff.all('signal')).toHaveLength(1);
  });

  it.each([
    ['neither', {}],
    ['both', { ...OFFER, candidate: { candidate: '' } }],
    ['nulls', { description: null, candidate: null }],
  ])('wants a description or a candidate, not %s', async (_what, payload) => {
    const { customer } = await assigned();
    expect(await customer.send('signal', payload)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
  });
});
