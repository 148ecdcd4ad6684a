import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import type { Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { type Part, upload } from '../support/http/multipart';
import { BOUNDARY, PART_END, PART_HEAD, RawUpload } from '../support/http/raw-upload';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

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

const opened: RawUpload[] = [];

afterEach(() => {
  for (const one of opened.splice(0)) one.breakOff();
});

/** A call of a company of its own, and what there is of its files. */
async function scene() {
  const tenant = await TestTenant.register(test);
  const { link } = await tenant.queue();
  const { call_id: callId } = await tenant.join(link);
  const { token } = tenant.owner;
  const path = `/api/v1/calls/${callId}/upload`;
  const rows = async (text: string) => (await test.db.query(text, [tenant.id])).rows;
  const stored = async () => ({
    call_files: await rows('SELECT storage_key FROM call_files WHERE tenant_id = $1'),
    stored_objects: await rows('SELECT key, discard_at FROM stored_objects WHERE tenant_id = $1'),
    folder: storage.files().filter((file) => file.startsWith(tenant.id)),
  });
  return {
    tenant,
    callId,
    stored,
    send: (...parts: Part[]) => upload(test, path, parts, { token }),
    raw: (type: string, body: string | Uint8Array<ArrayBuffer>) =>
      upload(test, path, [], { token, raw: { type, body } }),
    open: async (length?: number) => {
      const one = await RawUpload.open(test, path, token, length);
      opened.push(one);
      return one;
    },
    expectNothing: async () => {
      expect(await stored()).toEqual({ call_files: [], stored_objects: [], folder: [] });
    },
    /**
     * Every file in the folder is whole and some row's, and the other way about. Waits for that, since nobody is
     * told of the end of an upload that breaks off.
     */
    untilSound: async (count?: number) => {
      await until(
        async () => isSound(await stored(), count),
        () => `the storage and the rows are not of one mind, or not of ${count}`,
      );
    },
    events: () => rows(`SELECT FROM domain_events WHERE tenant_id = $1 AND type = 'call_file.uploaded'`),
  };
}

describe('a file over the limit', () => {
  it('is one byte more than the largest that is taken', async () => {
    const { send, untilSound, expectNothing } = await scene();
    expectFailure(await send(['file', Buffer.alloc(LIMIT + 1)]), 413, { code: 'payload_too_large' });
    await expectNothing();
    expectStatus(await send(['file', Buffer.alloc(LIMIT)]), 201);
    await untilSound(1);
  });

  it('is refused by its Content-Length, before any of it is sent', async () => {
    const { open, expectNothing } = await scene();
    const told = await open(100 * MIB);
    expect(await told.status()).toBe(413);
    await expectNothing();
  });

  it('is refused when it has no Content-Length, and no end: while it is still sent, and never stored', async () => {
    const { open, stored, expectNothing } = await scene();
    const endless = await open();
    await endless.writeChunk(Buffer.from(PART_HEAD));
    const piece = randomBytes(64 * 1024);
    let most = 0;
    for (let sent = 0; !endless.isAnswered && sent < 20 * MIB; sent += piece.length) {
      await endless.writeChunk(piece);
      const { folder } = await stored();
      most = Math.max(most, ...folder.map(sizeOf));
    }
    expect(await endless.status()).toBe(413);
    await expectNothing();
    expect(most).toBeLessThanOrEqual(LIMIT);
    // Who goes on is listened to, but not stored.
    for (let count = 0; count < 10; count++) await endless.writeChunk(piece);
    await expectNothing();
  });

  it('is refused when it has no Content-Length, but an end', async () => {
    const { open, expectNothing } = await scene();
    const chunked = await open();
    await chunked.writeChunk(Buffer.from(PART_HEAD));
    for (let sent = 0; sent < 5 * MIB; sent += MIB) await chunked.writeChunk(randomBytes(MIB));
    await chunked.writeChunk(Buffer.from(PART_END));
    await chunked.write('0\r\n\r\n');
    expect(await chunked.status()).toBe(413);
    await expectNothing();
  });

  it('is refused twenty times at once', async () => {
    const { send, expectNothing } = await scene();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(['file', randomBytes(LIMIT + 500_000)])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 413));
    await expectNothing();
  });
});

function isSound({ call_files, stored_objects, folder }: Record<string, Json[]>, count?: number): boolean {
  const keys = call_files.map(({ storage_key }) => storage_key).sort();
  const kept = stored_objects.filter(({ discard_at }) => discard_at === null).map(({ key }) => key);
  return (
    stored_objects.length === kept.length &&
    folder.join() === keys.join() &&
    kept.sort().join() === keys.join() &&
    (count === undefined || keys.length === count)
  );
}

/** It may be gone by now. */
function sizeOf(file: string): number {
  return statSync(join(storage.path, file), { throwIfNoEntry: false })?.size ?? 0;
}

describe('a form that is not right leaves nothing', () => {
  const content = randomBytes(100_000);
  const refused: [string, number, Part[]][] = [
    ['an empty file', 422, [['file', Buffer.alloc(0)]]],
    ['no file', 422, [['note', 'nothing']]],
    ['nothing at all', 422, []],
    ['a text instead of a file', 422, [['file', 'a text']]],
    ['another field’s file', 422, [['logo', content]]],
    [
      'two files',
      422,
      [
        ['file', content],
        ['file', content],
      ],
    ],
    [
      'two files of two fields',
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
      'a name deep in brackets after it',
      400,
      [
        ['file', content],
        [`a${'[b]'.repeat(100)}`, 'x'],
      ],
    ],
  ];

  it.each(refused)('%s: %d', async (_what, status, parts) => {
    const { send, expectNothing, events } = await scene();
    expectFailure(await send(...parts), status);
    await expectNothing();
    expect(await events()).toEqual([]);
  });

  const form = `multipart/form-data; boundary=${BOUNDARY}`;
  it.each([
    ['JSON', 'application/json', '{"file": "iVBORw0KGgo="}', 422],
    ['a bare file', 'application/octet-stream', 'abc', 422],
    ['no boundary', 'multipart/form-data', `${PART_HEAD}x${PART_END}`, 400],
    ['another boundary', 'multipart/form-data; boundary=y', `${PART_HEAD}x${PART_END}`, 400],
    ['broken off in the file', form, `${PART_HEAD}half a fi`, 400],
    ['broken off after the file', form, `${PART_HEAD}a file\r\n--${BOUNDARY}\r\n`, 400],
    ['broken off in the header', form, PART_HEAD.slice(0, 30), 400],
    ['broken off before it began', form, '', 400],
    [
      'a malformed header after the file',
      form,
      `${PART_HEAD}a file\r\n--${BOUNDARY}\r\n\u0000: \r\n\r\nx${PART_END}`,
      400,
    ],
    ['another kind of multipart', `multipart/mixed; boundary=${BOUNDARY}`, `${PART_HEAD}x${PART_END}`, 415],
  ])('%s (%s)', async (_what, type, body, status) => {
    const { raw, expectNothing } = await scene();
    expectFailure(await raw(type, body), status);
    await expectNothing();
  });

  it('names the field', async () => {
    const { send } = await scene();
    expectFailure(await send(['file', Buffer.alloc(0)]), 422, { field: 'file' });
    expectFailure(await send(['note', 'nothing']), 422, { field: 'file' });
    expectFailure(await send(['logo', content]), 422, { field: 'logo' });
  });
});

describe('an upload that breaks off', () => {
  it.each([
    ['before the form begins', ''],
    ['in a part’s header', PART_HEAD.slice(0, 30)],
    ['before the file’s content', PART_HEAD],
    ['early in the file', `${PART_HEAD}${'x'.repeat(1000)}`],
    ['in the middle of the file', `${PART_HEAD}${'x'.repeat(500_000)}`],
    ['after the file', `${PART_HEAD}${'x'.repeat(500_000)}\r\n--${BOUNDARY}\r\n`],
  ])('%s leaves nothing', async (_where, beginning) => {
    const { open, stored, send, untilSound } = await scene();
    const broken = await open(900_000);
    await broken.write(beginning);
    // Where the storage is at work already, it is stopped in the middle of it.
    if (beginning.length > PART_HEAD.length) await until(async () => (await stored()).folder.length > 0);
    broken.breakOff();
    await untilSound(0);
    expectStatus(await send(['file', Buffer.from('whole')]), 201);
    await untilSound(1);
  });

  it('leaves nothing when it does so at once, wherever the service is by then', async () => {
    const { open, send, untilSound } = await scene();
    for (let count = 0; count < 20; count++) {
      const broken = await open(900_000);
      await broken.write(`${PART_HEAD}${'x'.repeat(count * 10_000)}`);
      broken.breakOff();
    }
    expectStatus(await send(['file', Buffer.from('whole')]), 201);
    await untilSound(1);
  });

  it('is a file or is none, where it ends with the last byte', async () => {
    const { open, send, untilSound, callId, tenant } = await scene();
    const body = `${PART_HEAD}${'x'.repeat(10_000)}${PART_END}`;
    for (let count = 0; count < 20; count++) {
      const sent = await open(body.length);
      await sent.write(body);
      sent.breakOff();
    }
    expectStatus(await send(['file', Buffer.from('last')]), 201);
    await untilSound();
    const { data, meta } = (await tenant.owner.api.get(`/api/v1/calls/${callId}/files?page_size=100`)).body;
    expect(data.filter(({ size }: Json) => size === 10_000)).toHaveLength(meta.total_count - 1);
  });

  it('many times at once harms no other', async () => {
    const { open, stored, send, untilSound } = await scene();
    const broken = await Promise.all(Array.from({ length: 40 }, () => open(900_000)));
    await Promise.all(broken.map((one) => one.write(`${PART_HEAD}${'x'.repeat(300_000)}`)));
    await until(async () => (await stored()).folder.length === 40);
    const honest = Array.from({ length: 10 }, () => send(['file', randomBytes(300_000)]));
    for (const one of broken) one.breakOff();
    for (const answer of await Promise.all(honest)) expectStatus(answer, 201);
    await untilSound(10);
  });
});

describe('what fails after the upload', () => {
  it('takes the file along: a call that is gone by then', async () => {
    const { open, callId, stored, expectNothing } = await scene();
    const body = `${PART_HEAD}${'x'.repeat(200_000)}${PART_END}`;
    const slow = await open(body.length);
    await slow.write(body.slice(0, 100_000));
    await until(async () => (await stored()).folder.length > 0);
    await test.db.query('DELETE FROM calls WHERE id = $1', [callId]);
    await slow.write(body.slice(100_000));
    expect(await slow.status()).toBe(404);
    await expectNothing();
  });

  it('takes the file along: an object that the sweep was faster with', async () => {
    const { open, stored, tenant, expectNothing } = await scene();
    const body = `${PART_HEAD}${'x'.repeat(200_000)}${PART_END}`;
    const late = await open(body.length);
    await late.write(body.slice(0, 100_000));
    await until(async () => (await stored()).folder.length > 0);
    await test.db.query('UPDATE stored_objects SET discard_at = now() WHERE tenant_id = $1', [tenant.id]);
    await test.get(StoredObjectsService).sweep();
    await late.write(body.slice(100_000));
    expect(await late.status()).toBe(503);
    await expectNothing();
  });

  it('is 503 when the storage does not take it, and leaves no file', async () => {
    const { tenant, send, stored } = await scene();
    // A file where the company's folder would be.
    writeFileSync(join(storage.path, tenant.id), '');
    expectFailure(await send(['file', randomBytes(100_000)]), 503, { code: 'storage_unavailable' });
    expect((await stored()).call_files).toEqual([]);
  });
});

it('a request ends by silence, not by its length; only its head has to come in a minute', () => {
  const server: Server = test.app.getHttpServer();
  expect([server.requestTimeout, server.timeout, server.headersTimeout]).toEqual([0, 300_000, 60_000]);
});
