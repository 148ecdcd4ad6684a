import type { Json } from '../support/http/api';
import { RateCall } from '../../src/calls/customer/rate-call';
import { expectStatus, someId, TestTenant } from '../support/builders';
import { forged, partsOf } from '../support/authorisation/forged-tokens';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

const DAY_SECONDS = 86_400;
const SECRET = 'the secret that signs tokens here';

describe('rating a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp({ env: { JWT_SECRET: SECRET, TRUST_PROXY: 'loopback' } });
    tenant = await TestTenant.register(test);
    ({ link } = await tenant.queue({ max_queue_size: 100, max_wait_time: DAY_SECONDS }));
  });

  afterAll(() => test.close());

  const transition = (id: string, action: string) => tenant.owner.api.post(`/api/v1/calls/${id}/${action}`);
  const cancel = (id: string, token?: string) =>
    test.api.post(`/api/v1/call/cancel/${id}`, undefined, { token });
  const rate = (id: string, body: unknown, token?: string) =>
    test.api.post(`/api/v1/call/evaluate/${id}`, body, token === undefined ? {} : { token });

  async function completeEntry(): Promise<Json> {
    const entry = await tenant.join(link);
    await transition(entry.call_id, 'complete');
    return entry;
  }

  async function joinFrom(address: string): Promise<Json> {
    const headers = { 'x-forwarded-for': address };
    const answer = await test.api.post(`/api/v1/call/${link.token}/join`, { name: 'Ana' }, { headers });
    expectStatus(answer, 200);
    return answer.body.data;
  }

  async function completedFrom(address: string): Promise<Json> {
    const entry = await joinFrom(address);
    await transition(entry.call_id, 'complete');
    return entry;
  }

  const rateFrom = (address: string, id: string, token?: string) =>
    test.api.post(
      `/api/v1/call/evaluate/${id}`,
      { rating: 5 },
      {
        headers: { 'x-forwarded-for': address },
        ...(token === undefined ? {} : { token }),
      },
    );

  async function howRated(id: string): Promise<string[]> {
    const { body } = await tenant.owner.api.get(`/api/v1/calls/${id}/timeline`);
    return body.data.filter(({ type }: Json) => type === 'rated').map(({ rated_by }: Json) => rated_by);
  }

  const completeCall = async (): Promise<string> => (await completeEntry()).call_id;

  it('is possible only once and does not change the status', async () => {
    const id = await completeCall();
    const response = await rate(id, { rating: 4, comment: ' Quick ' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ data: { message: expect.any(String) } });
    const expected = { status: 'completed', rating: 4, rating_comment: 'Quick' };
    expect(await callRow(test, id)).toMatchObject(expected);
    expectFailure(await rate(id, { rating: 1 }), 422, { code: 'already_rated' });
    expect(await callRow(test, id)).toMatchObject(expected);
    expect((await eventsOf(test, id)).filter((type) => type === 'call.rated')).toHaveLength(1);
  });

  it('succeeds only once for parallel requests', async () => {
    const id = await completeCall();
    const responses = await Promise.all([1, 2, 3].map((rating) => rate(id, { rating })));
    expect(responses.map((response) => response.status).sort((one, other) => one - other)).toEqual([
      200, 422, 422,
    ]);
  });

  it('is possible for 7 days with the websocket_token', async () => {
    const [early, late] = [await completeEntry(), await completeEntry()];
    test.clock.advance(7 * DAY_SECONDS - 60);
    expect((await rate(early.call_id, { rating: 1 }, early.websocket_token)).status).toBe(200);
    test.clock.advance(120);
    expectFailure(await rate(late.call_id, { rating: 5 }, late.websocket_token), 422, {
      code: 'rating_closed',
    });
    expect((await callRow(test, late.call_id)).rating).toBeNull();
  });

  describe('without a token', () => {
    beforeEach(() => test.clock.reset());

    it('is possible for 15 minutes after the end of the call', async () => {
      const [early, late] = [await completeEntry(), await completeEntry()];
      test.clock.advance(15 * 60 - 30);
      expect((await rate(early.call_id, { rating: 2 })).status).toBe(200);
      test.clock.advance(60);
      expectFailure(await rate(late.call_id, { rating: 2 }), 403, { code: 'rating_token_required' });
      expect((await callRow(test, late.call_id)).rating).toBeNull();
      expect((await rate(late.call_id, { rating: 2 }, late.websocket_token)).status).toBe(200);
    });

    it('is not possible longer with a token of staff', async () => {
      const [early, late] = [await completeCall(), await completeCall()];
      expect((await rate(early, { rating: 3 }, tenant.owner.token)).status).toBe(200);
      test.clock.advance(15 * 60 + 30);
      expectFailure(await rate(late, { rating: 3 }, tenant.owner.token), 403, {
        code: 'rating_token_required',
      });
    });

    it.each([
      ['198.51.100.7', '198.51.100.7'],
      ['198.51.100.7', '::ffff:198.51.100.7'],
      ['2001:db8:1:2::a', '2001:db8:1:2:ffff::b'],
    ])('is possible for who joined from %s, from %s', async (joined, rated) => {
      const { call_id } = await completedFrom(joined);
      expect((await rateFrom(rated, call_id)).status).toBe(200);
      expect(await howRated(call_id)).toEqual(['address']);
    });

    it.each([
      ['198.51.100.7', '198.51.100.8'],
      ['2001:db8:1:2::a', '2001:db8:1:3::a'],
    ])('is refused for who joined from %s, from %s, also to an agent', async (joined, other) => {
      const { call_id, websocket_token } = await completedFrom(joined);
      for (const token of [undefined, tenant.owner.token]) {
        expectFailure(await rateFrom(other, call_id, token), 403, { code: 'rating_token_required' });
      }
      expect((await callRow(test, call_id)).rating).toBeNull();
      expect((await rateFrom(other, call_id, websocket_token)).status).toBe(200);
      expect(await howRated(call_id)).toEqual(['token']);
    });

    it('keeps the address of the customer until 15 minutes after the end, also of a call that was transferred', async () => {
      const { department } = await tenant.queue();
      const { call_id } = await joinFrom('198.51.100.7');
      const addressOf = async () => (await callRow(test, call_id)).client_address;
      await transition(call_id, 'start');
      const transfer = { department_id: department.id };
      expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/transfer`, transfer), 200);
      await transition(call_id, 'complete');
      test.clock.advance(15 * 60 - 30);
      await test.get(RateCall).clearAddresses();
      expect(await addressOf()).toBe('198.51.100.7');
      test.clock.advance(60);
      await test.get(RateCall).clearAddresses();
      expect(await addressOf()).toBeNull();
      expectFailure(await rateFrom('198.51.100.7', call_id), 403, { code: 'rating_token_required' });
    });
  });

  it('is rejected with an invalid token or that of another call', async () => {
    const [own, other] = [await completeEntry(), await completeEntry()];
    expectFailure(await rate(own.call_id, { rating: 1 }, other.websocket_token), 404);
    for (const token of ['garbage', `${own.websocket_token}x`]) {
      expectFailure(await rate(own.call_id, { rating: 1 }, token), 401, { code: 'token_invalid' });
    }
    expect((await callRow(test, own.call_id)).rating).toBeNull();
  });

  it('is all that a token allows after 24 hours', async () => {
    const { call_id, websocket_token } = await tenant.join(link);
    const [, { iat, exp }] = partsOf(websocket_token);
    const claims = { iat: Number(iat) - DAY_SECONDS - 1, exp: Number(exp) - DAY_SECONDS - 1 };
    const old = forged(websocket_token, { claims, secret: SECRET });
    expectFailure(await cancel(call_id, old), 401, { code: 'token_expired' });
    expectFailure(await test.api.post('/api/v1/call/resume', { websocket_token: old }), 401);
    await transition(call_id, 'complete');
    expect((await rate(call_id, { rating: 5 }, old)).status).toBe(200);
  });

  it.each([0, 6, -1, 2.5, '5', null, undefined, [5], 1e12])(
    'requires an integer from 1 to 5 and rejects %j',
    async (rating) => {
      const id = await completeCall();
      expectFailure(await rate(id, { rating }), 422, { code: 'validation_failed', field: 'rating' });
      expect((await callRow(test, id)).rating).toBeNull();
    },
  );

  it('is possible only for completed calls', async () => {
    const { call_id } = await tenant.join(link);
    for (const step of [undefined, 'assign', 'start']) {
      if (step) await transition(call_id, step);
      expectFailure(await rate(call_id, { rating: 5 }), 422, { code: 'not_completed' });
    }
    const cancelled = await tenant.join(link);
    await cancel(cancelled.call_id, cancelled.websocket_token);
    expectFailure(await rate(cancelled.call_id, { rating: 5 }), 422, { code: 'not_completed' });
    expectFailure(await rate(someId(), { rating: 5 }), 404);
  });
});
