import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

const DAY = 86_400;

describe('rating a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    ({ link } = await tenant.queue({ max_queue_size: 100, max_wait_time: DAY }));
  });

  afterAll(() => test.close());

  const move = (id: string, action: string) => tenant.owner.api.post(`/api/v1/calls/${id}/${action}`);
  const cancel = (id: string, token?: string) =>
    test.api.post(`/api/v1/call/cancel/${id}`, undefined, { token });
  const rate = (id: string, body: unknown) => test.api.post(`/api/v1/call/evaluate/${id}`, body);

  async function completed(): Promise<string> {
    const { call_id } = await tenant.join(link);
    await move(call_id, 'complete');
    return call_id;
  }

  it('is possible once, and changes no status', async () => {
    const id = await completed();
    const answer = await rate(id, { rating: 4, comment: ' Quick ' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { message: expect.any(String) } });
    const rated = { status: 'completed', rating: 4, rating_comment: 'Quick' };
    expect(await callRow(test, id)).toMatchObject(rated);
    expectFailure(await rate(id, { rating: 1 }), 422, { code: 'already_rated' });
    expect(await callRow(test, id)).toMatchObject(rated);
    expect((await eventsOf(test, id)).filter((type) => type === 'call.rated')).toHaveLength(1);
  });

  it('of two at once, one counts', async () => {
    const id = await completed();
    const answers = await Promise.all([1, 2, 3].map((rating) => rate(id, { rating })));
    expect(answers.map((answer) => answer.status).sort((one, other) => one - other)).toEqual([200, 422, 422]);
  });

  it('ends after 7 days', async () => {
    const [early, late] = [await completed(), await completed()];
    test.clock.advance(7 * DAY - 60);
    expect((await rate(early, { rating: 1 })).status).toBe(200);
    test.clock.advance(120);
    expectFailure(await rate(late, { rating: 5 }), 422, { code: 'rating_closed' });
    expect((await callRow(test, late)).rating).toBeNull();
  });

  it.each([0, 6, -1, 2.5, '5', null, undefined, [5], 1e12])('takes 1 to 5, not %j', async (rating) => {
    const id = await completed();
    expectFailure(await rate(id, { rating }), 422, { code: 'validation_failed', field: 'rating' });
    expect((await callRow(test, id)).rating).toBeNull();
  });

  it('is for completed calls', async () => {
    const { call_id } = await tenant.join(link);
    for (const step of [undefined, 'assign', 'start']) {
      if (step) await move(call_id, step);
      expectFailure(await rate(call_id, { rating: 5 }), 422, { code: 'not_completed' });
    }
    const cancelled = await tenant.join(link);
    await cancel(cancelled.call_id, cancelled.websocket_token);
    expectFailure(await rate(cancelled.call_id, { rating: 5 }), 422, { code: 'not_completed' });
    expectFailure(await rate(someId(), { rating: 5 }), 404);
  });
});
