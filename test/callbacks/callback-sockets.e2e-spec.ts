import { ResumeLinks } from '../../src/calls/callbacks/resume-links';
import { CustomerLeases } from '../../src/live/leases/customer-leases';
import { LiveConnections } from '../../src/live/live-connections';
import { SocketOwners } from '../../src/live/limits/socket-owners';
import { LiveSockets } from '../../src/live/live-sockets';
import { TestTenant } from '../support/builders';
import {
  callbackRequested,
  callingQueue,
  resume,
  tokenOf,
  untilCallback,
} from '../support/contexts/callbacks';
import { changeCall, secondsAfter } from '../support/contexts/line';
import { callRow, oneTo } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

/** Each call has an address of its own. */
const REQUEST = { channel: 'email', email: '' };
const ISO = expect.stringMatching(/Z$/);

describe('callbacks on the socket', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let entry: Json;
  const { connect, open } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => {
    ({ department, link } = await callingQueue(tenant));
    await join();
    entry = await join();
    REQUEST.email = `eva.${entry.call_id}@example.com`;
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  const join = (): Promise<Json> => tenant.join(link as { token: string });
  const rowOf = (): Promise<Json> => callRow(test, entry.call_id);
  /** Makes the customer the first of the line, so that they are invited. */
  const invite = async (): Promise<Json> => {
    await changeCall(test, entry.call_id, { rank_at: secondsAfter(test.clock.now(), -3600) });
    return untilCallback(test, entry.call_id, 'invited');
  };
  /** Of the pages that are connected. */
  const sessions = async (): Promise<string[]> => {
    const { rows } = await test.db.query('SELECT session FROM connections WHERE call_id = $1', [
      entry.call_id,
    ]);
    return rows.map(({ session }) => session);
  };
  const resumeToken = () => tokenOf(test.get(ResumeLinks).urlOf(entry.call_id, link.token));

  it('are requested and taken back, with acknowledgements and messages', async () => {
    const socket = await connect(entry.websocket_token);
    expect((await socket.waitFor('snapshot')).callback).toBeNull();
    const requested = { status: 'requested', invited_until: null };
    expect(await socket.send('request_callback', REQUEST)).toEqual({
      ok: true,
      data: expect.objectContaining({
        call_id: entry.call_id,
        status: 'queued',
        position: 2,
        callback: requested,
      }),
    });
    const head = { call_id: entry.call_id, at: ISO };
    expect(await socket.waitFor('callback_changed')).toEqual({ ...head, version: 2, ...requested });
    expect((await socket.send('snapshot')).data).toMatchObject({ version: 2, callback: requested });

    const acknowledged = await socket.send('cancel_callback');
    expect(acknowledged.data.callback).toEqual({ status: 'cancelled', invited_until: null });
    await socket.waitFor('callback_changed', ({ status }) => status === 'cancelled');
    // With a socket the customer is present.
    expect(await rowOf()).toMatchObject({ absent_since: null, absence_deadline: null, version: 3 });
  });

  it('are refused with the same errors as over HTTP, and for staff', async () => {
    const socket = await connect(entry.websocket_token);
    expect((await socket.send('request_callback', { channel: 'email' })).error.code).toBe(
      'validation_failed',
    );
    const staff = await connect(tenant.owner.token);
    for (const event of ['request_callback', 'cancel_callback']) {
      expect((await staff.send(event, REQUEST)).error.code).toBe('forbidden');
    }
  });

  it('are limited: each of them informs the staff', async () => {
    const socket = await connect(entry.websocket_token);
    const acknowledged = await Promise.all(
      oneTo(20).map((i) => socket.send(i % 2 ? 'request_callback' : 'cancel_callback', REQUEST)),
    );
    const codes = acknowledged.map(({ ok, error }) => (ok ? 'ok' : error.code));
    expect(codes.filter((code) => code === 'ok').length).toBeLessThanOrEqual(7);
    expect(codes).toContain('rate_limited');
    expect((await rowOf()).version).toBeLessThanOrEqual(8);
  });

  it('are shown to staff in the rows of the queue', async () => {
    const staff = await connect(tenant.owner.token);
    await staff.send('watch_department', { department_id: department.id });
    await callbackRequested(test, entry, REQUEST);
    const updated = await staff.waitFor('queue_updated', ({ department_id, calls }) => {
      const row = (calls as Json[] | null)?.find(({ id }) => id === entry.call_id);
      return department_id === department.id && row?.callback?.status === 'requested';
    });
    expect(updated.size).toBe(2);
    const changed = await staff.waitFor('call_updated', ({ call_id }) => call_id === entry.call_id);
    expect(changed.callback.status).toBe('requested');
  });

  it('go on when the phone reconnects in a pocket', async () => {
    await callbackRequested(test, entry, REQUEST);
    const { version } = await rowOf();
    const socket = await connect(entry.websocket_token);
    expect(await rowOf()).toMatchObject({ callback_status: 'requested', version, absence_deadline: null });
    socket.close();
    await until(async () => (await rowOf()).absent_since !== null);
    expect(await rowOf()).toMatchObject({ callback_status: 'requested', version, absence_deadline: null });
    // As for a lease that is found without a socket.
    const another = await connect(entry.websocket_token);
    expect(await rowOf()).toMatchObject({ absent_since: null });
    await test.get(LiveConnections).disconnect(tenant.id, another.io.id ?? '');
    expect(await rowOf()).toMatchObject({ absent_since: expect.any(Date), absence_deadline: null });
  });

  it('end with a new socket of an invited customer, but not with one that was open all the time', async () => {
    const old = await connect(entry.websocket_token);
    await callbackRequested(test, entry, REQUEST);
    const { callback_invited_until } = await invite();
    expect(await old.waitFor('callback_changed', ({ status }) => status === 'invited')).toMatchObject({
      invited_until: callback_invited_until.toISOString(),
    });
    // The same when the lease of the socket was lost, although it was open.
    const [local] = test.get(SocketOwners).socketsOfCall(entry.call_id);
    await test.db.query('DELETE FROM connections WHERE call_id = $1', [entry.call_id]);
    await test.get(LiveSockets).reacquireLease(local);
    expect(await rowOf()).toMatchObject({ callback_status: 'invited' });

    const socket = await connect(entry.websocket_token);
    expect((await socket.waitFor('snapshot')).callback).toEqual({ status: 'returned', invited_until: null });
    expect(await old.waitFor('callback_changed', ({ status }) => status === 'returned')).toMatchObject({
      invited_until: null,
    });
    expect(await rowOf()).toMatchObject({ callback_status: 'returned', absent_since: null });
  });

  it('go on when pages that were there before the invitation reconnect, but end with another page', async () => {
    const page = (session: string) =>
      connect(entry.websocket_token, { auth: { token: entry.websocket_token, session } });
    await page('before');
    await callbackRequested(test, entry, REQUEST);
    // One that was loaded early, and has lost its connection before the invitation.
    (await page('early')).close();
    await until(async () => (await sessions()).length === 1);
    await invite();
    const { version } = await rowOf();

    // As when an instance stops: it disconnects all clients, which reconnect elsewhere.
    await test.get(LiveSockets).disconnectAll();
    expect(await sessions()).toEqual([]);
    for (const session of ['before', 'early', 'before']) {
      const { callback } = await (await page(session)).waitFor('snapshot');
      expect([session, callback.status]).toEqual([session, 'invited']);
    }
    expect(await rowOf()).toMatchObject({ callback_status: 'invited', version });
    const { callback } = await (await page('after')).waitFor('snapshot');
    expect(callback.status).toBe('returned');
  });

  it('end with a resume of the page that was open all the time', async () => {
    const socket = await connect(entry.websocket_token);
    await callbackRequested(test, entry, REQUEST);
    await invite();
    const answer = await resume(test, entry.websocket_token);
    expect(answer.body.data.callback.status).toBe('returned');
    await socket.waitFor('callback_changed', ({ status }) => status === 'returned');
    expect(await rowOf()).toMatchObject({ absent_since: null, absence_deadline: null });
  });

  it('give the call to the device that opened the link last; the others are informed and disconnected', async () => {
    const page = await connect(entry.websocket_token);
    await callbackRequested(test, entry, REQUEST);
    await invite();
    const phone = (await resume(test, resumeToken())).body.data;
    expect(await page.waitFor('taken_over')).toEqual({ call_id: entry.call_id, at: ISO });
    await until(() => page.io.disconnected);
    const onPhone = await connect(phone.websocket_token);

    const laptop = (await resume(test, resumeToken())).body.data;
    await onPhone.waitFor('taken_over');
    await until(() => onPhone.io.disconnected);
    const onLaptop = await connect(laptop.websocket_token);
    expect((await onLaptop.waitFor('snapshot')).callback.status).toBe('returned');

    // The tokens of the other devices are good for nothing any more.
    for (const token of [entry.websocket_token, phone.websocket_token]) {
      expect(await resume(test, token)).toMatchObject({
        status: 401,
        body: { errors: { code: 'taken_over' } },
      });
      const refused = open(token);
      const error = await new Promise<Json>((resolve) => refused.io.once('connect_error', resolve as never));
      expect(error.data.code).toBe('taken_over');
    }
    // Not even for a socket that was authenticated just before the link was opened.
    const late = { call_id: entry.call_id, socket_id: 'late', session: 'late', device: 1, is_new: true };
    await test.get(CustomerLeases).connect(tenant.id, late);
    const { rows } = await test.db.query(`SELECT FROM connections WHERE socket_id = 'late'`);
    expect(rows).toEqual([]);
    expect(onLaptop.io.connected).toBe(true);
    expect((await resume(test, laptop.websocket_token)).status).toBe(200);
  });

  it('have no link that can be forged', async () => {
    await callbackRequested(test, entry, REQUEST);
    const token = resumeToken();
    const other = tokenOf(test.get(ResumeLinks).urlOf((await join()).call_id, link.token));
    const mixed = Buffer.concat([
      Buffer.from(token, 'base64url').subarray(0, 16),
      Buffer.from(other, 'base64url').subarray(16),
    ]).toString('base64url');
    for (const forged of [mixed, 'A'.repeat(43), token.slice(0, -1), `${token}A`]) {
      expect((await resume(test, forged)).status).toBe(401);
    }
    expect((await resume(test, token)).status).toBe(200);
    // It is no token of a socket.
    const refused = open(token);
    await new Promise((resolve) => refused.io.once('connect_error', resolve));
  });
});
