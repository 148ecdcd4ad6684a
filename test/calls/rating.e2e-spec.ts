import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

const DAY_SECONDS = 86_400;

describe('rating a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    ({ link } = await tenant.queue({ max_queue_size: 100, max_wait_time: DAY_SECONDS }));
  });

  afterAll(() => test.close());

  const transition = (id: string, action: string) => tenant.owner.api.post(`/api/v1/calls/${id}/${action}`);
  const cancel = (id: string, token?: string) =>
    test.api.post(`/api/v1/call/cancel/${id}`, undefined, { token });
  const rate = (id: string, body: unknown) => test.api.post(`/api/v1/call/evaluate/${id}`, body);

  async function completeCall(): Promise<string> {
    const { call_id } = await tenant.join(link);
    await transition(call_id, 'complete');
    return call_id;
  }

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

  it('is possible for 7 days', async () => {
    const [early, late] = [await completeCall(), await completeCall()];
    test.clock.advance(7 * DAY_SECONDS - 60);
    expect((await rate(early, { rating: 1 })).status).toBe(200);
    test.clock.advance(120);
    expectFailure(await rate(late, { rating: 5 }), 422, { code: 'rating_closed' });
    expect((await callRow(test, late)).rating).toBeNull();
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
