import { TokensService } from '../../src/platform/tokens/tokens.service';
import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';

const DAY = 86_400;

describe('what a customer can do with their call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100, max_wait_time: DAY }));
  });

  afterAll(() => test.close());

  const move = (id: string, action: string) => tenant.owner.api.post(`/api/v1/calls/${id}/${action}`);
  const cancel = (id: string, token?: string) =>
    test.api.post(`/api/v1/call/cancel/${id}`, undefined, { token });
  const resume = (websocket_token: unknown) => test.api.post('/api/v1/call/resume', { websocket_token });

  const join = (key: string, body: object, to = link) =>
    test.api.post(`/api/v1/call/${to.token}/join`, body, { headers: { 'Idempotency-Key': key } });

  describe('cancelling', () => {
    it.each(['queued', 'assigned'])('a %s call ends it', async (status) => {
      const { call_id, websocket_token } = await tenant.join(link);
      if (status === 'assigned') await move(call_id, 'assign');
      expect((await callRow(test, call_id)).status).toBe(status);
      const answer = await cancel(call_id, websocket_token);
      expect(answer.body).toEqual({
        data: { call_id, status: 'cancelled', position: 0, estimated_wait_time: 0 },
      });
      expect(await callRow(test, call_id)).toMatchObject({ status: 'cancelled', end_reason: 'abandoned' });
      expectFailure(await cancel(call_id, websocket_token), 422, { code: 'invalid_transition' });
    });

    it('an active call is too late', async () => {
      const { call_id, websocket_token } = await tenant.join(link);
      await move(call_id, 'start');
      expectFailure(await cancel(call_id, websocket_token), 422, { code: 'invalid_transition' });
      expect((await callRow(test, call_id)).status).toBe('active');
    });

    it('needs the token of that call', async () => {
      const { call_id } = await tenant.join(link);
      const stranger = await tenant.join(link);
      expectFailure(await cancel(call_id), 401);
      expectFailure(await cancel(call_id, 'garbage'), 401);
      expectFailure(await cancel(call_id, tenant.owner.token), 401);
      expectFailure(await cancel(call_id, stranger.websocket_token), 404);
      expectFailure(await cancel(someId(), stranger.websocket_token), 404);
      expectFailure(await cancel('1', stranger.websocket_token), 400);
      for (const id of [call_id, stranger.call_id]) {
        expect(await callRow(test, id)).toMatchObject({ status: 'queued', version: 1 });
      }
    });
  });

  describe('resuming', () => {
    it('answers the same entry with a fresh token', async () => {
      const queue = await tenant.queue();
      await tenant.join(queue.link);
      const entry = await tenant.join(queue.link);
      // Tokens of one second are alike.
      await new Promise((resolve) => setTimeout(resolve, 1001 - (Date.now() % 1000)));
      const { status, body } = await resume(entry.websocket_token);
      expect(status).toBe(200);
      const { websocket_token } = body.data;
      expect(body.data).toEqual({ ...entry, websocket_token });
      expect(websocket_token).not.toBe(entry.websocket_token);
      expect((await cancel(entry.call_id, websocket_token)).status).toBe(200);
    });

    it('is possible until 15 minutes after the end', async () => {
      const { call_id, websocket_token } = await tenant.join(link);
      await move(call_id, 'complete');
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

    it('needs a living websocket_token', async () => {
      const { call_id } = await tenant.join(link);
      const claims = { sub: call_id, tid: tenant.id };
      const expired = test.get(TokensService).sign('customer', claims, -1);
      const foreign = test.get(TokensService).sign('customer', { sub: call_id, tid: someId() }, 60);
      expectFailure(await resume(expired), 401, { code: 'token_expired' });
      expectFailure(await resume(foreign), 401);
      expectFailure(await resume('garbage'), 401);
      expectFailure(await resume(tenant.owner.token), 401);
      for (const nothing of [undefined, '', 7, {}]) {
        expectFailure(await resume(nothing), 422, { field: 'websocket_token' });
      }
    });
  });

  describe('the Idempotency-Key of a join', () => {
    it('gives the same entry for 10 minutes, then a new one', async () => {
      const body = { name: 'Eva', email: 'eva@example.com' };
      const first = await join('key-1', body);
      test.clock.advance(595);
      const repeat = await join('key-1', body);
      expect(repeat.status).toBe(200);
      const { websocket_token } = repeat.body.data;
      expect(repeat.body.data).toEqual({ ...first.body.data, websocket_token });
      expect(await eventsOf(test, first.body.data.call_id)).toEqual(['call.queued']);
      test.clock.advance(10);
      const later = await join('key-1', body);
      expect(later.status).toBe(200);
      expect(later.body.data.call_id).not.toBe(first.body.data.call_id);
    });

    it('belongs to one request: another body is refused', async () => {
      await join('key-2', { name: 'Eva' });
      for (const body of [{ name: 'Ivo' }, { name: 'Eva', reason: 'Card' }]) {
        expectFailure(await join('key-2', body), 422, { code: 'idempotency_key_reused' });
      }
    });

    it('belongs to one link', async () => {
      const { link: elsewhere } = await tenant.queue();
      const [one, other] = [
        await join('key-3', { name: 'Eva' }),
        await join('key-3', { name: 'Eva' }, elsewhere),
      ];
      expect(one.body.data.call_id).not.toBe(other.body.data.call_id);
    });

    it('is good for a link that the first request used up', async () => {
      const single = await tenant.link(department.id, { max_uses: 1 });
      const first = await join('key-4', { name: 'Eva' }, single);
      const repeat = await join('key-4', { name: 'Eva' }, single);
      expect(repeat.body.data).toMatchObject({ call_id: first.body.data.call_id, status: 'queued' });
      expectFailure(await join('key-5', { name: 'Eva' }, single), 404, { code: 'invalid_link' });
    });

    it('has at most 255 characters; without it every join is a new call', async () => {
      expectFailure(await join('x'.repeat(256), { name: 'Eva' }), 400);
      const [one, other] = [await tenant.join(link, { name: 'E' }), await tenant.join(link, { name: 'E' })];
      expect(one.call_id).not.toBe(other.call_id);
    });
  });
});
