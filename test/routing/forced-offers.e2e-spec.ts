import { TestTenant } from '../support/builders';
import {
  automaticQueue,
  availableAgent,
  type ConnectedAgent,
  offersOf,
  pendingOffer,
  untilState,
} from '../support/contexts/offers';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { sharedTestApp } from '../support/shared-app';
import { closingSockets } from '../support/sockets/connect-sockets';
import type { TestApp } from '../support/test-app';

let test: TestApp;
let tenant: TestTenant;
let link: Json;
let stranger: ConnectedAgent;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await TestTenant.register(test);
});
afterAll(() => test.close());

beforeEach(async () => {
  ({ link } = await automaticQueue(tenant));
  stranger = await availableAgent(tenant, connect, []);
});

afterEach(() => test.clock.reset());

const force = (callId: string, userId: string, api = tenant.owner.api) =>
  api.post(`/api/v1/calls/${callId}/offer`, { user_id: userId });
const join = async (from = link): Promise<string> => (await tenant.join(from)).call_id;

describe('an offer that a supervisor makes', () => {
  it('goes to an available agent without membership, and is accepted as others are', async () => {
    const callId = await join();
    const answer = await force(callId, stranger.id);
    expect([answer.status, answer.body.data]).toMatchObject([
      201,
      { kind: 'forced', offered_by: tenant.owner.id, user_id: stranger.id, status: 'pending' },
    ]);
    const accepted = await stranger.api.post(`/api/v1/offers/${answer.body.data.id}/accept`);
    expect(accepted.body.data).toMatchObject({ id: callId, status: 'active', user_id: stranger.id });
  });

  it('replaces the pending offer of the call', async () => {
    const queue = await automaticQueue(tenant);
    const member = await availableAgent(tenant, connect, [queue.department.id]);
    const callId = await join(queue.link);
    await pendingOffer(member);
    await force(callId, stranger.id);
    expect((await pendingOffer(stranger)).call_id).toBe(callId);
    expect(await offersOf(test, callId)).toMatchObject([
      { user_id: member.id, status: 'withdrawn', reason: 'reassigned' },
      { user_id: stranger.id, status: 'pending' },
    ]);
    await untilState(test, member.id, 'available');
  });

  it('needs an available agent, a waiting call of an automatic department, and its customer', async () => {
    const callId = await join();
    const offline = await tenant.member();
    expectFailure(await force(callId, offline.id), 422, { code: 'agent_not_available' });
    await force(callId, stranger.id);
    const other = await join();
    expectFailure(await force(other, stranger.id), 422, { code: 'agent_not_available' });
    const free = await availableAgent(tenant, connect, []);
    expectFailure(await force(await join((await tenant.queue()).link), free.id), 422, {
      code: 'not_automatic',
    });
    test.clock.advance(31);
    expectFailure(await force(other, free.id), 422, { code: 'customer_absent' });
    await tenant.owner.api.post(`/api/v1/calls/${other}/start`);
    expectFailure(await force(other, free.id), 422, { code: 'invalid_state' });
    expectFailure(await force(callId, free.id, free.api), 403);
  });

  it('leaves the pending offer of the call alone if the agent is not available', async () => {
    const queue = await automaticQueue(tenant);
    const member = await availableAgent(tenant, connect, [queue.department.id]);
    const callId = await join(queue.link);
    const { id } = await pendingOffer(member);
    const offline = await tenant.member();
    expectFailure(await force(callId, offline.id), 422, { code: 'agent_not_available' });
    expect((await pendingOffer(member)).id).toBe(id);
  });
});
