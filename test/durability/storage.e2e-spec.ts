import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { type ErasureEntry, ErasureJournal } from '../../src/customers/erasures/erasure-journal';
import { LocalStorage } from '../../src/platform/storage/local-storage';
import { S3Storage } from '../../src/platform/storage/s3-storage';
import { parseStorageUrl } from '../../src/platform/storage/storage-url';
import {
  type Storage,
  ObjectNotFoundError,
  RangeIgnoredError,
  StorageUnavailableError,
} from '../../src/platform/storage/storage';
import { S3Peer } from '../support/peers/s3-peer';
import { until } from '../support/until';

const MIB = 1024 * 1024;

interface Driver {
  storage: Storage;
  /** Keys of complete objects. */
  keys(): string[];
  /** Keys of partial files and unfinished uploads. */
  partialKeys(): string[];
  /** How many files or connections are open. */
  openHandles(): Promise<number>;
  stop(): Promise<void>;
}

const newKey = () => `${randomUUID()}/recordings/${randomUUID()}`;

const erasureAt = (erased_at: string): ErasureEntry => ({
  id: randomUUID(),
  kind: 'customer',
  tenant_id: randomUUID(),
  subject_ids: [randomUUID(), randomUUID()],
  erased_at,
  receipt: 'signed',
});

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Chunks of an uneven size, as a network delivers them. */
function* inChunks(content: Buffer, size = 60_001): Generator<Buffer> {
  for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size);
}

const streamOf = (content: Buffer) => Readable.from(inChunks(content), { objectMode: false });

const all = <T>(items: AsyncIterable<T>): Promise<T[]> => Readable.from(items).toArray() as Promise<T[]>;

/** Yields `content`, waits for `condition` and throws. */
async function* failingAfter(content: Buffer, condition: () => Promise<unknown> = async () => {}) {
  yield* inChunks(content);
  await condition();
  throw new Error('the sender has gone');
}

function folderDriver(): Driver {
  const folder = mkdtempSync(join(tmpdir(), 'video-queue-storage-'));
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return {
    storage: new LocalStorage(folder),
    keys: () => files().filter((file) => !file.endsWith('.part')),
    partialKeys: () =>
      files()
        .filter((file) => file.endsWith('.part'))
        .map((file) => file.slice(0, -'.part'.length)),
    openHandles: async () => openFiles().filter((path) => path.startsWith(folder)).length,
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
}

async function bucketDriver(): Promise<Driver> {
  const peer = await S3Peer.start();
  return {
    storage: s3Storage(peer.url()),
    keys: () => peer.keys(),
    partialKeys: () => peer.uploads(),
    openHandles: () => peer.countConnections(),
    stop: () => peer.stop(),
  };
}

function s3Storage(url: string): S3Storage {
  const address = parseStorageUrl(url);
  if (address.kind !== 's3') throw new Error('not a bucket');
  return new S3Storage(address.s3);
}

/** Started first and checked last: the timeout of 15 seconds elapses while the other tests run. */
const unresponsiveServer = {
  ended: Promise.resolve({ outcomes: [] as PromiseSettledResult<unknown>[], milliseconds: 0 }),
};

beforeAll(async () => {
  const open: Socket[] = [];
  const silent = createServer((socket) => open.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const unresponsiveStorage = s3Storage(`s3://a:b@calls?endpoint=http://127.0.0.1:${port}`);
  const start = performance.now();
  unresponsiveServer.ended = Promise.allSettled([
    unresponsiveStorage.read(newKey()),
    unresponsiveStorage.delete(newKey()),
  ]).then((outcomes) => {
    for (const socket of open) socket.destroy();
    silent.close();
    return { outcomes, milliseconds: performance.now() - start };
  });
});

describe.each([
  ['a folder', async () => folderDriver()],
  ['a bucket', bucketDriver],
])('storage in %s', (_where, start) => {
  let driver: Driver;
  let storage: Storage;

  beforeAll(async () => {
    driver = await start();
    ({ storage } = driver);
  });

  afterAll(() => driver.stop());

  const stored = async (content: Buffer): Promise<string> => {
    const key = newKey();
    await storage.write(key, streamOf(content));
    return key;
  };

  it.each([
    ['no bytes', 0],
    ['one byte', 1],
    ['100 kB', 100_000],
    ['exactly one part', 8 * MIB],
    ['one byte more than a part', 8 * MIB + 1],
    ['several parts', 40 * MIB + 4711],
  ])('reads back what was written: %s', async (_what, size) => {
    const content = randomBytes(size);
    const key = await stored(content);
    const read = await buffer(await storage.read(key));
    expect([read.length, sha256(read)]).toEqual([size, sha256(content)]);
    expect(driver.keys()).toContain(key);
    expect(driver.partialKeys()).toEqual([]);
  });

  it('reads a range with both ends included', async () => {
    const content = randomBytes(300_000);
    const key = await stored(content);
    for (const [start, end] of [
      // The range 0 to 0 is left out: s3rver answers it with the whole object.
      [0, 99],
      [100, 100],
      [100_000, 250_000],
      [299_999, 299_999],
      [0, 299_999],
    ] as const) {
      const part = await buffer(await storage.read(key, { start, end }));
      expect(part.equals(content.subarray(start, end + 1))).toBe(true);
    }
  });

  it('deletes an object and ignores a missing one', async () => {
    const [key, other] = [await stored(Buffer.from('away')), await stored(Buffer.from('stays'))];
    await storage.delete(key);
    expect(driver.keys()).not.toContain(key);
    await expect(storage.read(key)).rejects.toThrow(ObjectNotFoundError);
    await storage.delete(key);
    await storage.delete(newKey());
    expect(await buffer(await storage.read(other))).toEqual(Buffer.from('stays'));
  });

  it('reports a missing object as 404', async () => {
    const error = await storage.read(newKey()).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ObjectNotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    ['immediately', 0],
    ['early', 100_000],
    ['late', 20 * MIB],
  ])('keeps nothing of content that fails %s', async (_when, size) => {
    const key = newKey();
    const keys = driver.keys();
    // Waits until the upload is visible. A bucket receives nothing of content that fits into one part.
    const uploadVisible = () => until(() => driver.partialKeys().includes(key));
    const condition = size > 8 * MIB ? uploadVisible : undefined;
    const content = Readable.from(failingAfter(randomBytes(size), condition), { objectMode: false });
    await expect(storage.write(key, content)).rejects.toThrow(StorageUnavailableError);
    expect(content.destroyed).toBe(true);
    expect(driver.partialKeys()).toEqual([]);
    expect(driver.keys()).toEqual(keys);
    await expect(storage.read(key)).rejects.toThrow(ObjectNotFoundError);
    await storage.delete(key);
  });

  it('makes an object visible only when it is complete', async () => {
    const content = randomBytes(20 * MIB);
    const key = newKey();
    let seen: unknown;
    const observedContent = async function* () {
      yield* inChunks(content);
      await until(() => driver.partialKeys().includes(key));
      seen = await storage.read(key).catch((error: unknown) => error);
    };
    await storage.write(key, Readable.from(observedContent(), { objectMode: false }));
    expect(seen).toBeInstanceOf(ObjectNotFoundError);
    expect(sha256(await buffer(await storage.read(key)))).toBe(sha256(content));
  });

  it('releases the files or connections of readers that are destroyed early', async () => {
    const key = await stored(randomBytes(20 * MIB));
    const before = await driver.openHandles();
    const readers = await Promise.all(Array.from({ length: 60 }, () => storage.read(key)));
    await Promise.all(
      readers.map((reader) => until(() => (reader.read(1000) as Buffer | null) ?? undefined)),
    );
    expect(await driver.openHandles()).toBeGreaterThanOrEqual(60);
    for (const reader of readers) reader.destroy();
    await until(async () => (await driver.openHandles()) <= before);
  });

  it('lists the objects of a prefix in the order of the bytes of their keys', async () => {
    const folder = 'listed/';
    const keys = ['b', 'a-1', 'a/b', 'a/a/c', 'a0', 'c/d'].map((end) => `${folder}${end}`);
    for (const key of keys) await storage.write(key, streamOf(Buffer.from(key)));
    const listed = async (prefix: string) => (await all(storage.list(prefix))).map(({ key }) => key);
    expect(await listed(folder)).toEqual(keys.toSorted());
    expect(await listed(`${folder}a`)).toEqual(keys.filter((key) => key.startsWith(`${folder}a`)).toSorted());
    expect(await listed(`${folder}a/`)).toEqual([`${folder}a/a/c`, `${folder}a/b`]);
    expect(await listed('nothing/')).toEqual([]);
    expect(await listed('')).toEqual(driver.keys().toSorted());
    const [object] = await all(storage.list(`${folder}a0`));
    expect(object).toEqual({
      key: `${folder}a0`,
      size: Buffer.byteLength(`${folder}a0`),
      // A date of Node's, whose global scope is another one.
      modified_at: expect.anything(),
      is_partial: false,
    });
    expect(Math.abs(Number(object?.modified_at) - Date.now())).toBeLessThan(120_000);
  });

  it('keeps a journal of erasures, each once, the oldest first', async () => {
    const journal = new ErasureJournal(storage);
    expect(await all(journal.entries())).toEqual([]);
    const [later, earlier] = [erasureAt('2026-03-01T08:00:00.000Z'), erasureAt('2026-02-28T23:59:59.999Z')];
    const unsigned = { ...later, receipt: null };
    // Another instance may be late with the entry without the receipt.
    for (const one of [unsigned, earlier, later, unsigned, later]) await journal.append(one);
    expect(await all(journal.entries())).toEqual([earlier, unsigned, later]);
    expect(await journal.ids()).toEqual(new Set([earlier.id, later.id]));
    await storage.write('erasures/of-a-later-version', streamOf(Buffer.from('{"version":2}')));
    await expect(all(journal.entries())).rejects.toThrow('has an unknown format');
  });

  it('writes and reads several objects concurrently', async () => {
    const contents = Array.from({ length: 6 }, () => randomBytes(9 * MIB));
    const keys = await Promise.all(contents.map(stored));
    const read = await Promise.all(keys.map(async (key) => sha256(await buffer(await storage.read(key)))));
    expect(read).toEqual(contents.map(sha256));
  });
});

describe('storage in a folder', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'video-queue-storage-'));
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it.each([
    ['..', '../outside'],
    ['.. in the middle', 'a/../../outside'],
    ['an absolute path', '/outside'],
    ['no folder', 'outside'],
    ['an empty name', 'a//outside'],
    ['a folder alone', 'a/'],
    ['NUL', 'a/outside\0'],
    ['a new line', 'a/outside\n'],
    ['capitals', 'a/Outside'],
    ['a suffix', 'a/outside.part'],
  ])('rejects a key with %s', async (_what, key) => {
    const storage = new LocalStorage(join(parent, 'files'));
    await expect(storage.write(key, streamOf(Buffer.from('x')))).rejects.toThrow('Invalid storage key');
    await expect(storage.read(key)).rejects.toThrow('Invalid storage key');
    await expect(storage.delete(key)).rejects.toThrow('Invalid storage key');
    expect(readdirSync(parent)).toEqual([]);
  });

  it('creates files and folders with private permissions', async () => {
    const storage = new LocalStorage(join(parent, 'files'));
    await storage.write('a/b/c', streamOf(Buffer.from('x')));
    const modes = ['files', 'files/a', 'files/a/b', 'files/a/b/c'].map((path) =>
      (statSync(join(parent, path)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '700', '600']);
  });

  it('handles empty folders and the files that a killed process left', async () => {
    const storage = new LocalStorage(join(parent, 'files'));
    await storage.write('a/b/c', streamOf(Buffer.from('x')));
    writeFileSync(join(parent, 'files', 'a', 'b', 'd.part'), 'half');
    await storage.delete('a/b/c');
    await storage.delete('a/b/d');
    expect(readdirSync(join(parent, 'files', 'a', 'b'))).toEqual([]);
    await storage.write('a/b/e', streamOf(Buffer.from('x')));
    expect(await buffer(await storage.read('a/b/e'))).toEqual(Buffer.from('x'));
  });

  it('lists partial files and leaves out what is not its own', async () => {
    const folder = join(parent, 'files');
    const storage = new LocalStorage(folder);
    for (const key of ['a/b', 'a/b-1']) await storage.write(key, streamOf(Buffer.from('x')));
    writeFileSync(join(folder, 'a', 'b.part'), 'half');
    for (const name of ['README', 'a/.DS_Store', 'a/B']) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, 'lost+found', 'c'), { recursive: true });
    writeFileSync(join(folder, 'lost+found', 'c', 'd'), '');
    const listed = (await all(storage.list(''))).map(({ key, size, is_partial }) => [key, size, is_partial]);
    expect(listed.toSorted()).toEqual([
      ['a/b', 1, false],
      ['a/b', 4, true],
      ['a/b-1', 1, false],
    ]);
    expect(listed.map(([key]) => key)).toEqual(['a/b', 'a/b', 'a/b-1']);
  });

  it('completes an entry of the journal of erasures that a killed process has begun', async () => {
    const folder = join(parent, 'files');
    const journal = new ErasureJournal(new LocalStorage(folder));
    const id = randomUUID();
    mkdirSync(join(folder, 'erasures'), { recursive: true });
    writeFileSync(join(folder, 'erasures', `2026-03-01t08-00-00-000z-signed-${id}.part`), '{"ver');
    expect(await all(journal.entries())).toEqual([]);
    const entry = { id, kind: 'tenant' as const, tenant_id: id, subject_ids: [id], receipt: 'signed' };
    await journal.append({ ...entry, erased_at: '2026-03-01T08:00:00.000Z' });
    expect(await all(journal.entries())).toHaveLength(1);
    expect(readdirSync(join(folder, 'erasures'))).toHaveLength(1);
  });

  it('is unavailable when its folder cannot be created or is removed', async () => {
    writeFileSync(join(parent, 'file'), '');
    const nowhere = new LocalStorage(join(parent, 'file', 'files'));
    await expect(nowhere.write('a/b', streamOf(Buffer.from('x')))).rejects.toThrow(StorageUnavailableError);
    await expect(nowhere.read('a/b')).rejects.toThrow(StorageUnavailableError);
    await expect(nowhere.delete('a/b')).rejects.toThrow(StorageUnavailableError);
    await expect(all(nowhere.list(''))).rejects.toThrow(StorageUnavailableError);

    const storage = new LocalStorage(join(parent, 'files'));
    const content = async function* () {
      yield* inChunks(randomBytes(MIB));
      rmSync(join(parent, 'files'), { recursive: true });
    };
    const error = await storage
      .write('a/b', Readable.from(content(), { objectMode: false }))
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(error).toMatchObject({ status: 503, code: 'storage_unavailable', cause: { code: 'ENOENT' } });
  });
});

const expectUnavailable = async (storage: Storage, key = newKey()) => {
  await expect(storage.write(key, streamOf(Buffer.from('x')))).rejects.toThrow(StorageUnavailableError);
  await expect(storage.read(key)).rejects.toThrow(StorageUnavailableError);
  await expect(storage.delete(key)).rejects.toThrow(StorageUnavailableError);
  await expect(all(storage.list(''))).rejects.toThrow(StorageUnavailableError);
};

describe('storage in a bucket', () => {
  let peer: S3Peer;
  let storage: S3Storage;

  beforeEach(async () => {
    peer = await S3Peer.start();
    storage = s3Storage(peer.url());
  });

  afterEach(() => peer.stop());

  it('is unavailable when the access key is rejected or the bucket does not exist', async () => {
    await expectUnavailable(s3Storage(peer.url({ key: 'SOMEBODY' })));
    await expectUnavailable(s3Storage(peer.url({ bucket: 'another' })));
    expect(peer.keys()).toEqual([]);
  });

  it('is unavailable while the server is down and recovers when it is back', async () => {
    const key = newKey();
    await storage.write(key, streamOf(Buffer.from('x')));
    await peer.disconnect();
    await expectUnavailable(storage, key);
    await peer.listen();
    expect(await buffer(await storage.read(key))).toEqual(Buffer.from('x'));
    await storage.delete(key);
  });

  it('keeps no parts when the server fails an upload', async () => {
    const allowPuts = peer.failRequests(
      507,
      (method, path) => method === 'PUT' && path.includes('recordings'),
    );
    await expect(storage.write(newKey(), streamOf(randomBytes(20 * MIB)))).rejects.toThrow(
      StorageUnavailableError,
    );
    expect(peer.uploads()).toEqual([]);
    allowPuts();
    const key = newKey();
    const allowDeletes = peer.failRequests(403, (method) => method === 'DELETE');
    const content = failingAfter(randomBytes(20 * MIB), () => until(() => peer.uploads().includes(key)));
    await expect(storage.write(key, Readable.from(content, { objectMode: false }))).rejects.toThrow(
      StorageUnavailableError,
    );
    expect(peer.uploads()).toEqual([key]);
    await expect(storage.delete(key)).rejects.toThrow(StorageUnavailableError);
    allowDeletes();
    await storage.delete(key);
    expect(peer.uploads()).toEqual([]);
  });

  it('deletes the parts of a killed upload and no others', async () => {
    const client = new S3Client({
      region: 'us-east-1',
      endpoint: peer.endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
    const [key, other] = [newKey(), newKey()];
    for (const name of [key, key, `${key}0`, other]) {
      const at = { Bucket: 'calls', Key: `prefix/${name}` };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
      await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'half' }));
    }
    client.destroy();
    expect(peer.uploads().sort()).toEqual([key, key, `${key}0`, other].sort());
    await storage.delete(key);
    expect(peer.uploads().sort()).toEqual([`${key}0`, other].sort());
  });

  it.each([405, 501])('deletes an object when the server answers %s to listing uploads', async (status) => {
    const key = newKey();
    await storage.write(key, streamOf(Buffer.from('x')));
    peer.failRequests(status, (method, path) => method === 'GET' && path.replaceAll('/', '') === 'calls');
    await storage.delete(key);
    expect(peer.keys()).toEqual([]);
  });
});

it('reads ranges of a bucket behind a proxy that sends no Content-Length', async () => {
  const peer = await S3Peer.start();
  try {
    const storage = s3Storage(peer.url());
    const [key, content] = [newKey(), randomBytes(300_000)];
    await storage.write(key, streamOf(content));
    peer.isChunked = true;
    for (const [start, end] of [
      [0, 299_999],
      [0, 99],
      [100, 199],
    ] as const) {
      const part = await buffer(await storage.read(key, { start, end }));
      expect(sha256(part)).toBe(sha256(content.subarray(start, end + 1)));
    }
    peer.ignoresRange = true;
    await expect(storage.read(key, { start: 0, end: 99 })).rejects.toThrow(RangeIgnoredError);
    await expect(storage.read(key, { start: 100, end: 199 })).rejects.toThrow(RangeIgnoredError);
  } finally {
    await peer.stop();
  }
});

it('notices a bucket that ignores ranges', async () => {
  const logged = jest.fn();
  Logger.overrideLogger({ log: () => {}, warn: () => {}, error: logged });
  const peer = await S3Peer.start();
  try {
    const storage = s3Storage(peer.url());
    const [key, content] = [newKey(), randomBytes(300_000)];
    await storage.write(key, streamOf(content));
    peer.ignoresRange = true;
    for (const [start, end] of [
      [0, 0],
      [0, 99],
      [100, 299_999],
      // More than there is.
      [0, 300_000],
    ] as const) {
      await expect(storage.read(key, { start, end })).rejects.toThrow(RangeIgnoredError);
    }
    expect(logged.mock.calls.map(([, message]) => message)).toEqual(['Parts of objects cannot be read']);
    const whole = await buffer(await storage.read(key, { start: 0, end: 299_999 }));
    expect(sha256(whole)).toBe(sha256(content));
    // The rest of the refused objects is not read.
    await until(async () => (await peer.countConnections()) <= 1);
  } finally {
    Logger.overrideLogger(new ConsoleLogger());
    logged.mockRestore();
    await peer.stop();
  }
});

it('gives up on a bucket whose server never answers', async () => {
  const { outcomes, milliseconds } = await unresponsiveServer.ended;
  for (const outcome of outcomes) {
    expect(outcome).toEqual({ status: 'rejected', reason: expect.any(StorageUnavailableError) });
  }
  expect(outcomes).toHaveLength(2);
  expect(milliseconds).toBeLessThan(60_000);
});
