import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_OPEN_UPLOADS } from '../../../src/plans/storage-admission';
import { StoredObjectsService } from '../../../src/platform/storage/stored-objects.service';
import type { Json } from '../../support/http/api';
import { expectStatus, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { type Part, upload } from '../../support/http/multipart';
import { BOUNDARY, PART_END, PART_HEAD, RawUpload } from '../../support/http/raw-upload';
import { StorageFolder } from '../../support/service/storage-folder';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const MIB = 1024 * 1024;
const LIMIT = MIB;

let test: TestApp;
const storage = new StorageFolder();

beforeAll(async () => {
  test = await startTestApp({ env: { ...storage.env, MAX_UPLOAD_MB: '1', QUEUE_ABSENCE_SECONDS: '36000' } });
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

const openUploads: RawUpload[] = [];

afterEach(() => {
  for (const one of openUploads.splice(0)) one.abort();
});

/** Registers a tenant with a call and returns helpers that upload files to it and inspect the result. */
async function createScene() {
  const tenant = await TestTenant.register(test);
  const { link } = await tenant.queue();
  const { call_id: callId } = await tenant.join(link);
  const { token } = tenant.owner;
  const path = `/api/v1/calls/${callId}/upload`;
  const rows = async (text: string) => (await test.db.query(text, [tenant.id])).rows;
  const readStored = async () => ({
    call_files: await rows('SELECT storage_key FROM call_files WHERE tenant_id = $1'),
    stored_objects: await rows('SELECT key, discard_at FROM stored_objects WHERE tenant_id = $1'),
    folder: storage.files().filter((file) => file.startsWith(tenant.id)),
  });
  return {
    tenant,
    callId,
    readStored,
    send: (...parts: Part[]) => upload(test, path, parts, { token }),
    raw: (type: string, body: string | Uint8Array<ArrayBuffer>) =>
      upload(test, path, [], { token, raw: { type, body } }),
    open: async (length?: number, user: Pick<Member, 'token'> = tenant.owner) => {
      const one = await RawUpload.open(test, path, user.token, length);
      openUploads.push(one);
      return one;
    },
    expectNothing: async () => {
      expect(await readStored()).toEqual({ call_files: [], stored_objects: [], folder: [] });
    },
    /**
     * Waits until every file in the folder belongs to a row and every row to a file. Polls, because the end of an
     * interrupted upload is not signalled.
     */
    untilConsistent: async (count?: number) => {
      await until(
        async () => isConsistent(await readStored(), count),
        () => `the storage and the rows are inconsistent, or their number is not ${count}`,
      );
    },
    events: () => rows(`SELECT FROM domain_events WHERE tenant_id = $1 AND type = 'call_file.uploaded'`),
  };
}

describe('a file over the limit', () => {
  it('is rejected with 413, and one of exactly the limit is accepted', async () => {
    const { send, untilConsistent, expectNothing } = await createScene();
    expectFailure(await send(['file', Buffer.alloc(LIMIT + 1)]), 413, { code: 'payload_too_large' });
    await expectNothing();
    expectStatus(await send(['file', Buffer.alloc(LIMIT)]), 201);
    await untilConsistent(1);
  });

  it('is rejected by its Content-Length before its content is sent', async () => {
    const { open, expectNothing } = await createScene();
    const oversized = await open(100 * MIB);
    expect(await oversized.status()).toBe(413);
    await expectNothing();
  });

  it('is rejected without a Content-Length while it is still being sent, and is never stored', async () => {
    const { open, readStored, expectNothing } = await createScene();
    const endless = await open();
    await endless.writeChunk(Buffer.from(PART_HEAD));
    const piece = randomBytes(64 * 1024);
    let largestSize = 0;
    for (let sent = 0; !endless.isAnswered && sent < 20 * MIB; sent += piece.length) {
      await endless.writeChunk(piece);
      const { folder } = await readStored();
      largestSize = Math.max(largestSize, ...folder.map(sizeOf));
    }
    expect(await endless.status()).toBe(413);
    await expectNothing();
    expect(largestSize).toBeLessThanOrEqual(LIMIT);
    // Further data is read, but not stored.
    for (let count = 0; count < 10; count++) await endless.writeChunk(piece);
    await expectNothing();
  });

  it('is rejected without a Content-Length when it was sent completely', async () => {
    const { open, expectNothing } = await createScene();
    const chunked = await open();
    await chunked.writeChunk(Buffer.from(PART_HEAD));
    for (let sent = 0; sent < 5 * MIB; sent += MIB) await chunked.writeChunk(randomBytes(MIB));
    await chunked.writeChunk(Buffer.from(PART_END));
    await chunked.write('0\r\n\r\n');
    expect(await chunked.status()).toBe(413);
    await expectNothing();
  });

  it('is rejected in twenty concurrent requests', async () => {
    const { send, expectNothing } = await createScene();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(['file', randomBytes(LIMIT + 500_000)])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 413));
    await expectNothing();
  });
});

function isConsistent(
  { call_files, stored_objects, folder }: Record<string, Json[]>,
  count?: number,
): boolean {
  const keys = call_files.map(({ storage_key }) => storage_key).sort();
  const kept = stored_objects.filter(({ discard_at }) => discard_at === null).map(({ key }) => key);
  return (
    stored_objects.length === kept.length &&
    folder.join() === keys.join() &&
    kept.sort().join() === keys.join() &&
    (count === undefined || keys.length === count)
  );
}

/** Returns the size in bytes, or 0 if the file has been removed in the meantime. */
function sizeOf(file: string): number {
  return statSync(join(storage.path, file), { throwIfNoEntry: false })?.size ?? 0;
}

describe('an invalid form', () => {
  const content = randomBytes(100_000);
  const invalidForms: [string, number, Part[]][] = [
    ['an empty file', 422, [['file', Buffer.alloc(0)]]],
    ['no file', 422, [['note', 'nothing']]],
    ['an empty form', 422, []],
    ['text instead of a file', 422, [['file', 'a text']]],
    ['a file in another field', 422, [['logo', content]]],
    [
      'two files',
      422,
      [
        ['file', content],
        ['file', content],
      ],
    ],
    [
      'two files in two fields',
      422,
      [
        ['file', content],
        ['other', content],
      ],
    ],
    [
      'a file and an empty one',
      422,
      [
        ['file', content],
        ['file', Buffer.alloc(0)],
      ],
    ],
    [
      'too many fields after it',
      400,
      [['file', content], ...Array.from({ length: 50 }, (_, i): Part => [`f${i}`, 'x'])],
    ],
    [
      'a field of 100 kB after it',
      413,
      [
        ['file', content],
        ['note', 'x'.repeat(100_000)],
      ],
    ],
    [
      'a deeply nested field name after it',
      400,
      [
        ['file', content],
        [`a${'[b]'.repeat(100)}`, 'x'],
      ],
    ],
  ];

  it.each(invalidForms)('with %s is rejected with %d and leaves nothing', async (_what, status, parts) => {
    const { send, expectNothing, events } = await createScene();
    expectFailure(await send(...parts), status);
    await expectNothing();
    expect(await events()).toEqual([]);
  });

  const form = `multipart/form-data; boundary=${BOUNDARY}`;
  it.each([
    ['JSON', 'application/json', '{"file": "iVBORw0KGgo="}', 415],
    ['a bare file', 'application/octet-stream', 'abc', 415],
    ['no boundary', 'multipart/form-data', `${PART_HEAD}x${PART_END}`, 400],
    ['another boundary', 'multipart/form-data; boundary=y', `${PART_HEAD}x${PART_END}`, 400],
    ['a body that ends in the file', form, `${PART_HEAD}half a fi`, 400],
    ['a body that ends after the file', form, `${PART_HEAD}a file\r\n--${BOUNDARY}\r\n`, 400],
    ['a body that ends in the header', form, PART_HEAD.slice(0, 30), 400],
    ['an empty body', form, '', 400],
    [
      'a malformed header after the file',
      form,
      `${PART_HEAD}a file\r\n--${BOUNDARY}\r\n\u0000: \r\n\r\nx${PART_END}`,
      400,
    ],
    ['another kind of multipart', `multipart/mixed; boundary=${BOUNDARY}`, `${PART_HEAD}x${PART_END}`, 415],
  ])('with %s (%s) is rejected and leaves nothing', async (_what, type, body, status) => {
    const { raw, expectNothing } = await createScene();
    expectFailure(await raw(type, body), status);
    await expectNothing();
  });

  it('is rejected with the name of the field', async () => {
    const { send } = await createScene();
    expectFailure(await send(['file', Buffer.alloc(0)]), 422, { field: 'file' });
    expectFailure(await send(['note', 'nothing']), 422, { field: 'file' });
    expectFailure(await send(['logo', content]), 422, { field: 'logo' });
  });
});

describe('an interrupted upload', () => {
  it.each([
    ['interrupted before the form begins', ''],
    ['interrupted in the header of a part', PART_HEAD.slice(0, 30)],
    ['interrupted before the content of the file', PART_HEAD],
    ['interrupted early in the file', `${PART_HEAD}${'x'.repeat(1000)}`],
    ['interrupted in the middle of the file', `${PART_HEAD}${'x'.repeat(500_000)}`],
    ['interrupted after the file', `${PART_HEAD}${'x'.repeat(500_000)}\r\n--${BOUNDARY}\r\n`],
  ])('%s leaves nothing', async (_where, beginning) => {
    const { open, readStored, send, untilConsistent } = await createScene();
    const broken = await open(900_000);
    await broken.write(beginning);
    // If the storage is already writing, interrupt it in the middle.
    if (beginning.length > PART_HEAD.length) await until(async () => (await readStored()).folder.length > 0);
    broken.abort();
    await untilConsistent(0);
    expectStatus(await send(['file', Buffer.from('whole')]), 201);
    await untilConsistent(1);
  });

  it('leaves nothing when it ends immediately, whatever the service is doing', async () => {
    const { open, send, untilConsistent } = await createScene();
    for (let count = 0; count < 20; count++) {
      const broken = await open(900_000);
      await broken.write(`${PART_HEAD}${'x'.repeat(count * 10_000)}`);
      broken.abort();
    }
    expectStatus(await send(['file', Buffer.from('whole')]), 201);
    await untilConsistent(1);
  });

  it('is stored completely or not at all when it ends after the last byte', async () => {
    const { open, send, untilConsistent, callId, tenant } = await createScene();
    const body = `${PART_HEAD}${'x'.repeat(10_000)}${PART_END}`;
    for (let count = 0; count < 20; count++) {
      const sent = await open(body.length);
      await sent.write(body);
      sent.abort();
    }
    expectStatus(await send(['file', Buffer.from('last')]), 201);
    await untilConsistent();
    const { data, meta } = (await tenant.owner.api.get(`/api/v1/calls/${callId}/files?page_size=100`)).body;
    expect(data.filter(({ size }: Json) => size === 10_000)).toHaveLength(meta.total_count - 1);
  });

  it('does not affect other uploads, even many at once', async () => {
    const { tenant, open, readStored, send, untilConsistent } = await createScene();
    // As many as two users may have in progress.
    const users = await Promise.all([tenant.member('manager'), tenant.member('manager')]);
    const broken = await Promise.all(
      users.flatMap((user) => Array.from({ length: MAX_OPEN_UPLOADS }, () => open(900_000, user))),
    );
    await Promise.all(broken.map((one) => one.write(`${PART_HEAD}${'x'.repeat(300_000)}`)));
    await until(async () => (await readStored()).folder.length === 40);
    const completeUploads = Array.from({ length: 10 }, () => send(['file', randomBytes(300_000)]));
    for (const one of broken) one.abort();
    for (const answer of await Promise.all(completeUploads)) expectStatus(answer, 201);
    await untilConsistent(10);
  });
});

describe('a failure after the upload', () => {
  it('removes the file when the call was deleted in the meantime', async () => {
    const { open, callId, readStored, expectNothing } = await createScene();
    const body = `${PART_HEAD}${'x'.repeat(200_000)}${PART_END}`;
    const slow = await open(body.length);
    await slow.write(body.slice(0, 100_000));
    await until(async () => (await readStored()).folder.length > 0);
    await test.db.query('DELETE FROM calls WHERE id = $1', [callId]);
    await slow.write(body.slice(100_000));
    expect(await slow.status()).toBe(404);
    await expectNothing();
  });

  it('removes the file when the sweep has already discarded its object', async () => {
    const { open, readStored, tenant, expectNothing } = await createScene();
    const body = `${PART_HEAD}${'x'.repeat(200_000)}${PART_END}`;
    const late = await open(body.length);
    await late.write(body.slice(0, 100_000));
    await until(async () => (await readStored()).folder.length > 0);
    await test.db.query('UPDATE stored_objects SET discard_at = now() WHERE tenant_id = $1', [tenant.id]);
    await test.get(StoredObjectsService).sweep();
    await late.write(body.slice(100_000));
    expect(await late.status()).toBe(503);
    await expectNothing();
  });

  it('answers 503 and leaves no file when the storage cannot be written', async () => {
    const { tenant, send, readStored } = await createScene();
    // A file in place of the tenant's folder.
    writeFileSync(join(storage.path, tenant.id), '');
    expectFailure(await send(['file', randomBytes(100_000)]), 503, { code: 'storage_unavailable' });
    expect((await readStored()).call_files).toEqual([]);
  });
});
