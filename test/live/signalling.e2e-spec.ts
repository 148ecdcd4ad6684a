import type { Json } from '../support/http/api';
import { type Member, TestTenant } from '../support/builders';
import type { TestSocket } from '../support/sockets/socket';
import { closingSockets } from '../support/sockets/connect-sockets';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';
import { DELIVERED } from '../support/sockets/signals';

const OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

const offer = (sdp: string) => ({ description: { type: 'offer', sdp } });

/** Waits until the sockets have received everything that was sent before: the acknowledgement comes last. */
const flush = (...sockets: TestSocket[]) => Promise.all(sockets.map((socket) => socket.send('snapshot')));

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
    const { department, link: queueLink } = await tenant.queue({ max_queue_size: 100 });
    link = queueLink;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
  });

  afterAll(() => test.close());

  const transition = (id: string, action: string, member = ana, body?: object) =>
    member.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** An assigned call with the sockets of the customer and of Ana, its agent, who has joined it. */
  async function assignedCall() {
    const { call_id, websocket_token } = await tenant.join(link);
    const customer = await connect(websocket_token);
    await transition(call_id, 'assign');
    const staff = await connect(ana.token);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }

  it('relays signals to all tabs of the other side and to no other socket', async () => {
    const { call_id, websocket_token, customer, staff } = await assignedCall();
    const otherCustomer = await connect((await tenant.join(link)).websocket_token);
    const other = await TestTenant.register(test);
    const bystanders = [
      otherCustomer,
      await connect(bob.token),
      await connect(tenant.owner.token),
      await connect(other.owner.token),
      // Ana's second tab is connected, but has not joined the call.
      await connect(ana.token),
    ];
    const customerTab = await connect(websocket_token);

    expect(await staff.send('signal', OFFER)).toEqual(DELIVERED);
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
    expect(await customer.send('signal', { candidate })).toEqual(DELIVERED);
    expect(await staff.waitFor('signal')).toMatchObject({ call_id, from: 'customer', candidate });
    await flush(customer, customerTab, staff, ...bystanders);
    for (const bystander of bystanders) expect(bystander.all('signal')).toEqual([]);
    expect([customer, customerTab, staff].map((tab) => tab.all('signal').length)).toEqual([1, 1, 1]);
  });

  it('relays signals to all sockets of an agent until one of them sends one', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const [customer, first, second] = [
      await connect(websocket_token),
      await connect(ana.token),
      await connect(ana.token),
    ];
    await transition(call_id, 'start');
    expect(await customer.send('signal', offer('one'))).toEqual(DELIVERED);
    for (const tab of [first, second]) expect(await tab.waitFor('signal')).toMatchObject(offer('one'));

    expect(await second.send('signal', { call_id, ...offer('two') })).toEqual(DELIVERED);
    expect(await customer.waitFor('signal')).toMatchObject({ from: 'agent', ...offer('two') });
    expect(await customer.send('signal', offer('three'))).toEqual(DELIVERED);
    await second.waitFor('signal', ({ description }) => description.sdp === 'three');
    await flush(first, second);
    expect([first, second].map((tab) => tab.all('signal').length)).toEqual([1, 2]);

    // The other sockets receive the signals again when that socket is gone.
    second.close();
    await until(async () => {
      await customer.send('signal', offer('four'));
      return first.all('signal').length > 1;
    });
  });

  it('relays signals to the socket of an agent that joined last, and to the one before it when that is closed', async () => {
    const { call_id, customer, staff } = await assignedCall();
    const latest = await connect(ana.token);
    expect(await latest.send('join_call', { call_id })).toMatchObject({ ok: true });
    expect(await customer.send('signal', offer('one'))).toEqual(DELIVERED);
    expect(await latest.waitFor('signal')).toMatchObject(offer('one'));
    // Neither do the last signals of the other tab take the call back.
    expect(await staff.send('signal', { call_id, ...offer('late') })).toEqual(DELIVERED);
    expect(await customer.send('signal', offer('two'))).toEqual(DELIVERED);
    await latest.waitFor('signal', ({ description }) => description.sdp === 'two');
    await flush(staff);
    expect(staff.all('signal')).toEqual([]);

    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    expect(await customer.send('signal', offer('three'))).toEqual(DELIVERED);
    expect(await staff.waitFor('signal')).toMatchObject(offer('three'));
    await flush(latest);
    expect(latest.all('signal')).toHaveLength(2);

    staff.close();
    await until(async () => {
      await customer.send('signal', offer('four'));
      return latest.all('signal').length > 2;
    });
  });

  it('rejects signals from users who are not in the call', async () => {
    const { call_id, customer, staff } = await assignedCall();
    const other = await TestTenant.register(test);
    for (const [member, code] of [
      [bob, 'not_your_call'],
      [tenant.owner, 'not_your_call'],
      [other.owner, 'invalid_state'],
    ] as const) {
      const outsider = await connect(member.token);
      const ack = await outsider.send('signal', { call_id, ...OFFER });
      expect(ack).toMatchObject({ ok: false, error: { code } });
      const joinAck = await outsider.send('join_call', { call_id });
      const expectedCode = member === other.owner ? 'not_found' : 'not_your_call';
      expect(joinAck).toMatchObject({ ok: false, error: { code: expectedCode } });
    }
    // A customer's signals go to their own call, regardless of call_id.
    const otherCustomer = await connect((await tenant.join(link)).websocket_token);
    expect(await otherCustomer.send('signal', { call_id, ...OFFER })).toMatchObject({ ok: false });
    await flush(customer, staff);
    expect([...customer.all('signal'), ...staff.all('signal')]).toEqual([]);
  });

  it('relays only while the call is assigned or active', async () => {
    const entry = await tenant.join(link);
    const waiting = await connect(entry.websocket_token);
    const refused = { ok: false, error: { code: 'invalid_state', detail: expect.any(String) } };
    expect(await waiting.send('signal', OFFER)).toEqual(refused);
    const { call_id, customer, staff } = await assignedCall();
    expect(await customer.send('signal', OFFER)).toEqual(DELIVERED);
    await transition(call_id, 'start');
    expect(await staff.send('signal', OFFER)).toEqual(DELIVERED);
    await transition(call_id, 'complete');
    expect(await customer.send('signal', OFFER)).toEqual(refused);
    expect(await staff.send('signal', { call_id, ...OFFER })).toEqual(refused);
  });

  it('rejects a signal of more than 64 KiB and keeps the connection open', async () => {
    const { customer, staff } = await assignedCall();
    const frame = JSON.stringify(offer('')).length;
    const tooLarge = { ok: false, error: { code: 'payload_too_large' } };
    expect(await customer.send('signal', offer('x'.repeat(65_537 - frame)))).toMatchObject(tooLarge);
    expect(await customer.send('signal', offer('x'.repeat(90_000)))).toMatchObject(tooLarge);
    // The limit is in bytes, not characters.
    expect(await customer.send('signal', offer('é'.repeat(40_000)))).toMatchObject(tooLarge);
    expect(await customer.send('signal', offer('x'.repeat(65_536 - frame)))).toEqual(DELIVERED);
    await staff.waitFor('signal');
    expect(staff.all('signal')).toHaveLength(1);
  });

  it.each([
    ['neither', {}],
    ['both', { ...OFFER, candidate: { candidate: '' } }],
    ['null for both', { description: null, candidate: null }],
  ])('requires either a description or a candidate and rejects %s', async (_title, payload) => {
    const { customer } = await assignedCall();
    expect(await customer.send('signal', payload)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
  });
});
