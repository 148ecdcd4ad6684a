import { Database } from '../../src/platform/database/database';
import { TokensService } from '../../src/platform/tokens/tokens.service';
import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf, oneTo } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const DAY_SECONDS = 86_400;

describe('the actions of a customer on their call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100, max_wait_time: DAY_SECONDS }));
  });

  afterAll(() => test.close());

  const transition = (id: string, action: string) => tenant.owner.api.post(`/api/v1/calls/${id}/${action}`);
  const cancel = (id: string, token?: string) =>
    test.api.post(`/api/v1/call/cancel/${id}`, undefined, { token });
  const resume = (websocket_token: unknown) => test.api.post('/api/v1/call/resume', { websocket_token });

  const join = (key: string, body: object, to = link) =>
    test.api.post(`/api/v1/call/${to.token}/join`, body, { headers: { 'Idempotency-Key': key } });

  describe('cancelling', () => {
    it.each(['queued', 'assigned'])('ends a %s call', async (status) => {
      const { call_id, websocket_token } = await tenant.join(link);
      if (status === 'assigned') await transition(call_id, 'assign');
      expect((await callRow(test, call_id)).status).toBe(status);
      const response = await cancel(call_id, websocket_token);
      expect(response.body).toEqual({
        data: {
          call_id,
          status: 'cancelled',
          position: 0,
          estimated_wait_time: 0,
          estimated_wait_range: null,
          has_estimate: false,
          ringing: false,
          callback: null,
        },
      });
      expect(await callRow(test, call_id)).toMatchObject({ status: 'cancelled', end_reason: 'abandoned' });
      const row = await callRow(test, call_id);
      const repeated = await cancel(call_id, websocket_token);
      expect(repeated.body).toEqual(response.body);
      expect(await callRow(test, call_id)).toEqual(row);
    });

    it('is rejected once the call is active', async () => {
      const { call_id, websocket_token } = await tenant.join(link);
      await transition(call_id, 'start');
      expectFailure(await cancel(call_id, websocket_token), 422, { code: 'invalid_transition' });
      expect((await callRow(test, call_id)).status).toBe('active');
    });

    it('requires the token of the call', async () => {
      const { call_id } = await tenant.join(link);
      const otherCustomer = await tenant.join(link);
      expectFailure(await cancel(call_id), 401);
      expectFailure(await cancel(call_id, 'garbage'), 401);
      expectFailure(await cancel(call_id, tenant.owner.token), 401);
      expectFailure(await cancel(call_id, otherCustomer.websocket_token), 404);
      expectFailure(await cancel(someId(), otherCustomer.websocket_token), 404);
      expectFailure(await cancel('1', otherCustomer.websocket_token), 400);
      for (const id of [call_id, otherCustomer.call_id]) {
        expect(await callRow(test, id)).toMatchObject({ status: 'queued', version: 1 });
      }
    });
  });

  describe('polling', () => {
    it('computes the positions of many customers together', async () => {
      const queue = await tenant.queue({ max_queue_size: 100 });
      const ids: string[] = [];
      for (const _ of oneTo(20)) ids.push((await tenant.join(queue.link)).call_id);
      const read = jest.spyOn(test.get(Database), 'readTenant');
      const polls = [...ids, ...ids].map((id) => test.api.get(`/api/v1/call/status/${id}`));
      const positions = (await Promise.all(polls)).map(({ body }) => body.data.position);
      expect(positions).toEqual([...oneTo(20), ...oneTo(20)]);
      const texts = read.mock.calls.flatMap(([, statements]) => statements.map(({ text }) => text));
      read.mockRestore();
      const computations = texts.filter((text) => text.includes('queue_size'));
      expect(computations.length).toBeGreaterThan(0);
      expect(computations.length).toBeLessThanOrEqual(polls.length / 2);
    });

    it('is 404 for a call that does not exist', async () =>
      expectFailure(await test.api.get(`/api/v1/call/status/${someId()}`), 404));
  });

  describe('resuming', () => {
    it('returns the same call and queue position with a new token', async () => {
      const queue = await tenant.queue();
      await tenant.join(queue.link);
      const entry = await tenant.join(queue.link);
      // Tokens signed within the same second are identical.
      await new Promise((resolve) => setTimeout(resolve, 1001 - (Date.now() % 1000)));
      const { status, body } = await resume(entry.websocket_token);
      expect(status).toBe(200);
      const { websocket_token } = body.data;
      expect(body.data).toEqual({ ...entry, websocket_token });
      expect(websocket_token).not.toBe(entry.websocket_token);
      expect((await cancel(entry.call_id, websocket_token)).status).toBe(200);
    });

    it('is possible until 15 minutes after the end of the call', async () => {
      const { call_id, websocket_token } = await tenant.join(link);
      await transition(call_id, 'complete');
      test.clock.advance(14 * 60);
      const late = await resume(websocket_token);
      expect(late.body.data).toMatchObject({ call_id, status: 'completed', position: 0 });
      test.clock.advance(61);
      for (const token of [websocket_token, late.body.data.websocket_token]) {
        expectFailure(await resume(token), 401, { code: 'token_expired' });
        expectFailure(await cancel(call_id, token), 401, { code: 'token_expired' });
        const connecting = TestSocket.connect(test.url, token);
        await expect(connecting).rejects.toMatchObject({ data: { code: 'token_expired' } });
      }
    });

    it('requires a valid websocket_token', async () => {
      const { call_id } = await tenant.join(link);
      const claims = { sub: call_id, tid: tenant.id };
      const expired = test.get(TokensService).sign('customer', claims, -1);
      const foreign = test.get(TokensService).sign('customer', { sub: call_id, tid: someId() }, 60);
      expectFailure(await resume(expired), 401, { code: 'token_expired' });
      expectFailure(await resume(foreign), 401);
      expectFailure(await resume('garbage'), 401);
      expectFailure(await resume(tenant.owner.token), 401);
      for (const invalid of [undefined, '', 7, {}]) {
        expectFailure(await resume(invalid), 422, { field: 'websocket_token' });
      }
    });
  });

  describe('the Idempotency-Key of a join', () => {
    it('returns the same call for 10 minutes and a new one after that', async () => {
      const body = { name: 'Eva', email: 'eva@example.com' };
      const first = await join('key-1', body);
      test.clock.advance(570);
      const repeat = await join('key-1', body);
      expect(repeat.status).toBe(200);
      const { websocket_token } = repeat.body.data;
      expect(repeat.body.data).toEqual({ ...first.body.data, websocket_token });
      expect(await eventsOf(test, first.body.data.call_id)).toEqual(['call.queued']);
      test.clock.advance(31);
      const later = await join('key-1', body);
      expect(later.status).toBe(200);
      expect(later.body.data.call_id).not.toBe(first.body.data.call_id);
    });

    it('is rejected with another request body', async () => {
      await join('key-2', { name: 'Eva' });
      for (const body of [{ name: 'Ivo' }, { name: 'Eva', reason: 'Card' }]) {
        expectFailure(await join('key-2', body), 422, { code: 'idempotency_key_reused' });
      }
    });

    it('applies to one link only', async () => {
      const { link: otherLink } = await tenant.queue();
      const [one, other] = [
        await join('key-3', { name: 'Eva' }),
        await join('key-3', { name: 'Eva' }, otherLink),
      ];
      expect(one.body.data.call_id).not.toBe(other.body.data.call_id);
    });

    it('still works for a link that the first request used up', async () => {
      const singleUseLink = await tenant.link(department.id, { max_uses: 1 });
      const first = await join('key-4', { name: 'Eva' }, singleUseLink);
      const repeat = await join('key-4', { name: 'Eva' }, singleUseLink);
      expect(repeat.body.data).toMatchObject({ call_id: first.body.data.call_id, status: 'queued' });
      expectFailure(await join('key-5', { name: 'Eva' }, singleUseLink), 404, { code: 'link_used' });
    });

    it('may have at most 255 characters, and without it every join creates a call', async () => {
      expectFailure(await join('x'.repeat(256), { name: 'Eva' }), 400);
      const [one, other] = [await tenant.join(link, { name: 'E' }), await tenant.join(link, { name: 'E' })];
      expect(one.call_id).not.toBe(other.call_id);
    });
  });
});
