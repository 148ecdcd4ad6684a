import { RoutingSweep } from '../../src/routing/dispatch/routing-sweep';
import { agentOnCall, expectStatus, TestTenant } from '../support/builders';
import {
  callbackRequested,
  unstaffedCallingQueue,
  cancelCallback,
  resume,
  untilCallback,
} from '../support/contexts/callbacks';
import { changeCall, entryOf, secondsAfter } from '../support/contexts/line';
import {
  availableAgent,
  type ConnectedAgent,
  offersOf,
  pendingOffer,
  untilState,
} from '../support/contexts/offers';
import { callRow } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

describe('the call of a customer who is away', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;
  let entry: Json;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
  });

  beforeEach(async () => {
    ({ department, link } = await unstaffedCallingQueue(tenant, { routing: 'automatic' }));
    await join();
    entry = await join();
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  const join = (): Promise<Json> => tenant.join(link as { token: string });
  const agent = (): Promise<ConnectedAgent> => availableAgent(tenant, connect, [department.id]);
  const makeFirst = () => changeCall(test, entry.call_id, { rank_at: secondsAfter(test.clock.now(), -3600) });
  const ABSENT = { present: false, awaits_callback: true };

  it('is absent in the line, whatever sockets, polls and resumes there are', async () => {
    await callbackRequested(test, entry);
    expect(await entryOf(test, entry.call_id)).toMatchObject(ABSENT);
    await test.api.get(`/api/v1/call/status/${entry.call_id}`);
    expect(await entryOf(test, entry.call_id)).toMatchObject(ABSENT);
    await resume(test, entry.websocket_token);
    expect(await entryOf(test, entry.call_id)).toMatchObject(ABSENT);
    const socket = await connect(entry.websocket_token);
    expect(await entryOf(test, entry.call_id)).toMatchObject(ABSENT);
    socket.close();
    await until(async () => (await callRow(test, entry.call_id)).absent_since !== null);
    test.clock.advance(3600);
    await test.api.get(`/api/v1/call/status/${entry.call_id}`);
    expect(await entryOf(test, entry.call_id)).toMatchObject(ABSENT);
  });

  it('is never offered while requested or invited, although it is the first; others are served meanwhile', async () => {
    const socket = await connect(entry.websocket_token);
    await callbackRequested(test, entry);
    await makeFirst();
    await agentOnCall(tenant, [department.id]);
    await untilCallback(test, entry.call_id, 'invited');
    const ana = await agent();
    // The one behind it.
    const offer = await pendingOffer(ana);
    expect(offer.call_id).not.toBe(entry.call_id);
    expectStatus(await ana.api.post(`/api/v1/offers/${offer.id}/accept`), 200);
    const ben = await agent();
    await untilState(test, ben.id, 'available');
    await test.get(RoutingSweep).sweep();
    await socket.send('snapshot');
    expect(await offersOf(test, entry.call_id)).toEqual([]);

    // Back at the front.
    await resume(test, entry.websocket_token);
    expect((await pendingOffer(ben, entry.call_id)).status).toBe('pending');
  });

  it('loses its offer when the customer leaves, in the same moment', async () => {
    const [ana, ben] = [await agent(), await agent()];
    const offered = await until(
      async () => (await offersOf(test, entry.call_id)).find(({ status }) => status === 'pending'),
      () => 'the call was not offered',
    );
    await callbackRequested(test, entry);
    expect((await offersOf(test, entry.call_id)).at(-1)).toMatchObject({
      id: offered?.id,
      status: 'withdrawn',
      reason: 'customer_absent',
    });
    const holder = [ana, ben].find(({ id }) => id === offered?.user_id) as ConnectedAgent;
    await holder.socket.waitFor('offer_ended', ({ reason }) => reason === 'customer_absent');
    expect((await holder.api.post(`/api/v1/offers/${offered?.id}/accept`)).body.errors.code).toBe(
      'offer_ended',
    );
    await untilState(test, holder.id, 'available');
  });

  it('cannot be taken or offered by hand', async () => {
    const ana = await tenant.member('attendant', [department.id]);
    await callbackRequested(test, entry);
    const path = `/api/v1/calls/${entry.call_id}`;
    const refused = async (api: typeof ana.api, action: string, body: Json = {}) =>
      expect(await api.post(`${path}/${action}`, body)).toMatchObject({
        status: 422,
        body: { errors: { code: 'callback_pending' } },
      });
    await refused(ana.api, 'assign');
    await refused(ana.api, 'start');
    await refused(ana.api, 'complete');
    await refused(tenant.owner.api, 'assign', { user_id: ana.id });
    await refused(tenant.owner.api, 'offer', { user_id: ana.id });
    expect(await callRow(test, entry.call_id)).toMatchObject({ status: 'queued', user_id: null });
    const why = await tenant.owner.api.get(`${path}/routing`);
    expect(why.body.data.code).toBe('callback_pending');
  });

  it('can be offered again when the customer takes the callback back', async () => {
    await callbackRequested(test, entry);
    const [ana, ben] = [await agent(), await agent()];
    await until(async () =>
      (await Promise.all([ana, ben].map(({ api }) => api.get('/api/v1/offers')))).some(
        ({ body }) => body.data.length > 0,
      ),
    );
    expect(await offersOf(test, entry.call_id)).toEqual([]);
    expect((await cancelCallback(test, entry)).status).toBe(204);
    expect(await entryOf(test, entry.call_id)).toMatchObject({ present: true, awaits_callback: false });
    await until(async () => (await offersOf(test, entry.call_id)).length > 0);
  });
});
