import sharp from 'sharp';
import { PoolAdmission } from '../../src/platform/database/connections/pool-admission';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { activeCall } from '../support/contexts/transfers';
import { expectFailure } from '../support/database/failures';
import type { Json } from '../support/http/api';
import { documentedFetch } from '../support/http/documented-fetch';
import { type Part, upload } from '../support/http/multipart';
import { PART_END, PART_HEAD, RawUpload } from '../support/http/raw-upload';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const MAX_BYTES = 10 * 1024 * 1024;
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

let test: TestApp;
let tenant: TestTenant;
let agent: Member;
let link: Json;
let photo: Buffer;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_RATE_LIMIT: '1000' } });
  tenant = await TestTenant.register(test);
  const queue = await tenant.queue();
  link = queue.link;
  agent = await tenant.member('attendant', [queue.department.id]);
  photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
});

afterAll(() => test.close());

const send = (callId: string, token: string | undefined, ...parts: Part[]) =>
  upload(test, `/api/v1/call/files/${callId}`, parts, token ? { token } : {});

const file = (content: Buffer, name = 'photo.jpg', type = 'image/jpeg'): Part => [
  'file',
  content,
  name,
  type,
];

const filesOf = async (callId: string): Promise<Json[]> =>
  (await agent.api.get(`/api/v1/calls/${callId}/files`)).body.data;

const chatOf = async (callId: string): Promise<Json[]> =>
  (await agent.api.get(`/api/v1/calls/${callId}/chat`)).body.data;

describe('a file that the customer sends', () => {
  it('becomes a file of the call and a message of the chat, for both sides', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const customer = await TestSocket.connect(test.url, websocket_token);
    const staff = await TestSocket.connect(test.url, agent.token);
    const answer = await send(call_id, websocket_token, file(photo, '../my photo.jpg', 'text/html'));
    expectStatus(answer, 201);
    const sent = answer.body.data;
    expect(sent).toMatchObject({ filename: 'my photo.jpg', content_type: 'image/jpeg', size: photo.length });
    for (const socket of [customer, staff]) {
      expect(await socket.waitFor('chat_message')).toEqual({
        call_id,
        version: expect.any(Number),
        at: expect.any(String),
        id: expect.any(String),
        from: 'customer',
        text: 'my photo.jpg',
        client_id: null,
        file: sent,
      });
    }
    expect(await filesOf(call_id)).toMatchObject([sent]);
    expect(await chatOf(call_id)).toMatchObject([{ from: 'customer', text: 'my photo.jpg', file: sent }]);
    const snapshot = await customer.send('snapshot', {});
    expect(snapshot.data).toMatchObject({ chat_message_count: 1, chat_messages: [{ file: sent }] });
    const download = await documentedFetch(test.url + sent.url, {
      headers: { authorization: `Bearer ${agent.token}` },
    });
    expect(Buffer.from(await download.arrayBuffer())).toEqual(photo);
    customer.close();
    staff.close();
  });

  it('is accepted as a PNG, WebP, GIF or PDF, and nothing else is, by its content', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const picture = sharp(photo);
    for (const content of [
      await picture.clone().png().toBuffer(),
      await picture.clone().webp().toBuffer(),
      await picture.clone().gif().toBuffer(),
      PDF,
    ]) {
      expectStatus(await send(call_id, websocket_token, file(content)), 201);
    }
    for (const content of [
      await picture.clone().tiff().toBuffer(),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      Buffer.from('MZ program'),
      Buffer.alloc(0),
    ]) {
      const answer = await send(call_id, websocket_token, file(content, 'photo.jpg', 'image/jpeg'));
      expectFailure(answer, 422, { field: 'file' });
    }
    expect(await filesOf(call_id)).toHaveLength(4);
    expect(await chatOf(call_id)).toHaveLength(4);
  });

  it('still waits for a lock at its end when its content took longer than a request may wait', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const admission = test.get(PoolAdmission);
    const waitMs = 500;
    const patience = jest.replaceProperty(admission, 'publicWaitMs', waitMs);
    const begin = performance.now();
    const sent = await RawUpload.open(test, `/api/v1/call/files/${call_id}`, websocket_token);
    await sent.writeChunk(Buffer.concat([Buffer.from(PART_HEAD), photo]));
    const ofTenant = `FROM stored_objects WHERE tenant_id = '${tenant.id}' AND discard_at IS NOT NULL`;
    await until(async () => (await test.db.query(`SELECT ${ofTenant}`)).rowCount === 1);
    await until(() => performance.now() - begin > waitMs);
    await test.db.query('BEGIN');
    await test.db.query(`SELECT ${ofTenant} FOR UPDATE`);
    const waiting = jest.spyOn(admission, 'waitForLock');
    await sent.writeChunk(Buffer.from(PART_END));
    await sent.writeChunk(Buffer.alloc(0));
    await until(() => waiting.mock.calls.length > 0);
    await test.db.query('COMMIT');
    patience.restore();
    expect(await sent.status()).toBe(201);
  });

  it('has at most 10 MiB', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const largest = Buffer.concat([photo, Buffer.alloc(MAX_BYTES - photo.length)]);
    expectStatus(await send(call_id, websocket_token, file(largest)), 201);
    const larger = Buffer.concat([largest, Buffer.alloc(1)]);
    expectFailure(await send(call_id, websocket_token, file(larger)), 413, { code: 'payload_too_large' });
    expect(await filesOf(call_id)).toHaveLength(1);
  });

  it('is one of ten in a call, also when more are sent at the same time', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => send(call_id, websocket_token, file(photo, `${n}.jpg`))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectFailure(answer, 422, { code: 'too_many_files' });
    }
    expect(await filesOf(call_id)).toHaveLength(10);
    expect(await chatOf(call_id)).toHaveLength(10);
    const { rows } = await test.db.query(
      'SELECT array_agg(customer_number ORDER BY customer_number) AS numbers FROM call_files WHERE call_id = $1',
      [call_id],
    );
    expect(rows[0].numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const { rows: kept } = await test.db.query(
      'SELECT count(*)::int AS kept FROM stored_objects o JOIN call_files f ON f.storage_key = o.key WHERE f.call_id = $1',
      [call_id],
    );
    expect(kept[0].kept).toBe(10);
    // Files of staff do not count.
    const own = await upload(test, `/api/v1/calls/${call_id}/upload`, [file(photo)], { token: agent.token });
    expectStatus(own, 201);
  });

  it('is refused before its content is looked at once there are ten, and follows one that was deleted', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    for (let n = 0; n < 10; n++) expectStatus(await send(call_id, websocket_token, file(photo)), 201);
    const notAccepted = file(Buffer.from('MZ program'));
    expectFailure(await send(call_id, websocket_token, notAccepted), 422, { code: 'too_many_files' });
    await test.db.query('DELETE FROM call_files WHERE call_id = $1 AND customer_number = 3', [call_id]);
    expectStatus(await send(call_id, websocket_token, file(photo)), 201);
    expectFailure(await send(call_id, websocket_token, file(photo)), 422, { code: 'too_many_files' });
  });

  it('needs the token of this call, which is assigned or active', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    const other = await tenant.join(link);
    expectFailure(await send(call_id, undefined, file(photo)), 401);
    expectFailure(await send(call_id, agent.token, file(photo)), 401);
    expectFailure(await send(call_id, other.websocket_token, file(photo)), 404);
    expectFailure(await send(someId(), websocket_token, file(photo)), 404);
    expectFailure(await send(other.call_id, other.websocket_token, file(photo)), 422, {
      code: 'invalid_state',
    });
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expectFailure(await send(call_id, websocket_token, file(photo)), 422, { code: 'invalid_state' });
    expect(await filesOf(call_id)).toEqual([]);
  });

  it('is deleted with the person, as the chat', async () => {
    const { call_id, websocket_token } = await activeCall(tenant, link, agent);
    expectStatus(await send(call_id, websocket_token, file(photo)), 201);
    expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    const { customer_id } = (await agent.api.get(`/api/v1/calls/${call_id}`)).body.data;
    expectStatus(await tenant.owner.api.post(`/api/v1/customers/${customer_id}/erase`), 200);
    expect([await filesOf(call_id), await chatOf(call_id)]).toEqual([[], []]);
  });
});
