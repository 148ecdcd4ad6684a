import { AssemblyQueue } from '../../../src/recordings/tus/assembly-queue';
import { StoredObjectsService } from '../../../src/platform/storage/stored-objects.service';
import { auditedAbout } from '../../support/contexts/audit-rows';
import { login, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { StorageFolder } from '../../support/service/storage-folder';
import { startTestApp, type TestApp } from '../../support/test-app';
import { MIB, recordingOf, sha256, TusClient, sweepUploads } from '../../support/contexts/tus';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

let test: TestApp;
let storage: StorageFolder;
let tenant: TestTenant;
let agent: Member;
let peer: TusClient;
let callId: string;

beforeAll(async () => {
  storage = new StorageFolder();
  test = await startTestApp({ env: storage.env });
});

afterAll(async () => {
  await test.close();
  storage.remove();
});

beforeEach(async () => {
  await test.db.query('DELETE FROM recording_uploads');
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  peer = new TusClient(test.url, agent.token);
  callId = (await tenant.join((await tenant.queue()).link)).call_id;
});

const sweep = () => sweepUploads(test);
const uploadIdOf = (location: string): string => location.split('/').at(-1) ?? '';

/** Logs in again: the tests move the clock past the lifetime of an access token. */
async function peerWithNewToken(): Promise<TusClient> {
  return new TusClient(test.url, (await login(test, tenant.slug, agent.email)).token);
}

async function recordings() {
  const { rows } = await test.db.query('SELECT * FROM recordings WHERE call_id = $1', [callId]);
  return rows;
}

const uploads = async () =>
  (await test.db.query('SELECT * FROM recording_uploads WHERE call_id = $1', [callId])).rows;

async function partKeysOf(location: string): Promise<string[]> {
  const { rows } = await test.db.query(
    'SELECT storage_key FROM recording_upload_parts WHERE upload_id = $1',
    [uploadIdOf(location)],
  );
  return rows.map(({ storage_key }) => storage_key);
}

const setLease = (location: string, moment: string) =>
  test.db.query(`UPDATE recording_uploads SET lease_until = ${moment} WHERE id = $1`, [uploadIdOf(location)]);

/** Creates an upload of deferred length and sends this content. */
async function createLiveUpload(content: Buffer<ArrayBuffer>): Promise<string> {
  const location = await peer.begin(callId);
  for (let at = 0; at < content.length; at += MIB) {
    expect((await peer.patch(location, at, content.subarray(at, at + MIB))).status).toBe(204);
  }
  return location;
}

/** Creates an upload that was received completely, but whose last request died before it created the recording. */
async function createUnassembledUpload(content: Buffer<ArrayBuffer>): Promise<string> {
  const location = await createLiveUpload(content);
  await test.db.query('UPDATE recording_uploads SET length = received WHERE id = $1', [uploadIdOf(location)]);
  return location;
}

/** Creates a complete upload that cannot be assembled, because one byte is missing. */
async function createBrokenUpload(): Promise<string> {
  const location = await createUnassembledUpload(recordingOf(MIB));
  await test.db.query(
    'UPDATE recording_uploads SET length = length + 1, received = received + 1 WHERE id = $1',
    [uploadIdOf(location)],
  );
  return location;
}

/** Creates this many uploads at once. @returns their sorted statuses */
async function createUploads(count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => peer.create(callId, MIB)));
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectFailure(answer, 422, { code: 'too_many_uploads' });
  }
  return answers.map(({ status }) => status).toSorted();
}

describe('a live recording without an end', () => {
  const content = recordingOf(3 * MIB);

  it('becomes a recording up to its last chunk after an hour without data', async () => {
    const location = await createLiveUpload(content);
    test.clock.advance(59 * MINUTE);
    await sweep();
    expect(await recordings()).toEqual([]);
    expect((await (await peerWithNewToken()).head(location)).headers.get('upload-defer-length')).toBe('1');

    test.clock.advance(2 * MINUTE);
    await sweep();
    expect(await recordings()).toMatchObject([{ size: String(content.length), sha256: sha256(content) }]);
    const { status, headers } = await (await peerWithNewToken()).head(location);
    expect([status, headers.get('upload-offset'), headers.get('upload-length')]).toEqual([
      200,
      String(content.length),
      String(content.length),
    ]);
  });

  it('is assembled with the time limit for statements of jobs', async () => {
    const queue = test.get(AssemblyQueue);
    const markFinished = queue.markFinished.bind(queue);
    const limits: unknown[] = [];
    const spy = jest.spyOn(queue, 'markFinished').mockImplementation(async (tx, upload) => {
      limits.push(await tx.one(`SELECT current_setting('statement_timeout') AS timeout`));
      return markFinished(tx, upload);
    });
    await createUnassembledUpload(content);
    await sweep();
    spy.mockRestore();
    expect(await recordings()).toHaveLength(1);
    expect(limits).toEqual([{ timeout: '10min' }]);
  });

  it('counts the hour from its last chunk', async () => {
    const location = await createLiveUpload(content);
    test.clock.advance(59 * MINUTE);
    const more = recordingOf(4 * MIB).subarray(3 * MIB);
    expect((await (await peerWithNewToken()).patch(location, 3 * MIB, more)).status).toBe(204);
    test.clock.advance(59 * MINUTE);
    await sweep();
    expect(await recordings()).toEqual([]);
  });

  it('becomes a recording after days of downtime, and answers HEAD for one more day', async () => {
    const location = await createLiveUpload(content);
    test.clock.advance(3 * DAY);
    await sweep();
    expect(await recordings()).toMatchObject([{ sha256: sha256(content) }]);
    expect(await (await peerWithNewToken()).offset(location)).toBe(content.length);
    test.clock.advance(DAY + 1);
    await sweep();
    expect(await uploads()).toEqual([]);
  });

  it('is discarded when it is not media', async () => {
    const location = await createLiveUpload(Buffer.alloc(100, 'no media '));
    const parts = await partKeysOf(location);
    test.clock.advance(61 * MINUTE);
    await sweep();
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
    await test.get(StoredObjectsService).sweep();
    expect(storage.files()).not.toEqual(expect.arrayContaining(parts));
  });

  it.each<[string, number | undefined, number]>([
    ['no data', undefined, 0],
    ['part of a declared length', 4 * MIB, MIB],
  ])('is discarded after a day when the client had sent %s', async (_what, length, sent) => {
    const location = await peer.begin(callId, length);
    if (sent) expect((await peer.patch(location, 0, content.subarray(0, sent))).status).toBe(204);
    test.clock.advance(DAY - 1);
    await sweep();
    expect(await uploads()).toHaveLength(1);
    test.clock.advance(2);
    await sweep();
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
  });
});

describe('a complete upload that cannot be finished', () => {
  it('does not delay newer uploads, however many such uploads there are', async () => {
    await test.db.query(
      `INSERT INTO recording_uploads (tenant_id, call_id, user_id, id, length, received, content_type, lease_until,
         expires_at, inserted_at)
       SELECT $1, $2, NULL, gen_random_uuid(), 5, 5, 'video/webm', now() - interval '1 minute',
         $3::timestamptz + interval '1 day', $3::timestamptz - interval '1 hour' FROM generate_series(1, 40)`,
      [tenant.id, callId, test.clock.now()],
    );
    const content = recordingOf(MIB);
    await createUnassembledUpload(content);
    await sweep();
    expect(await recordings()).toMatchObject([{ sha256: sha256(content) }]);
  });

  it('is discarded at once after a permanent refusal', async () => {
    const location = await createUnassembledUpload(recordingOf(MIB));
    const parts = await partKeysOf(location);
    expect(storage.files()).toEqual(expect.arrayContaining(parts));
    await test.db.query('UPDATE calls SET erased_at = now() WHERE id = $1', [callId]);
    await sweep();
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
    await test.get(StoredObjectsService).sweep();
    expect(storage.files()).not.toEqual(expect.arrayContaining(parts));
  });

  it('is discarded at once when its last request is refused', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId, MIB);
    expect((await peer.patch(location, 0, content.subarray(0, 1000))).status).toBe(204);
    await test.db.query('UPDATE calls SET erased_at = now() WHERE id = $1', [callId]);
    expectFailure(await peer.patch(location, 1000, content.subarray(1000)), 422, { code: 'call_erased' });
    expect(await uploads()).toEqual([]);
  });

  it('is retried for seven days, then discarded', async () => {
    const location = await createBrokenUpload();
    const parts = await partKeysOf(location);
    test.clock.advance(7 * DAY - 1);
    await sweep();
    expect(await uploads()).toHaveLength(1);
    test.clock.advance(2);
    await sweep();
    expect(await uploads()).toHaveLength(1);
    await setLease(location, 'NULL');
    await sweep();
    expect(await uploads()).toEqual([]);
    await test.get(StoredObjectsService).sweep();
    expect(storage.files()).not.toEqual(expect.arrayContaining(parts));
  });
});

describe('a recording that the sweep creates', () => {
  it('is audited as an action of its uploader', async () => {
    await createUnassembledUpload(recordingOf(MIB));
    await sweep();
    const [recording] = await recordings();
    expect(await auditedAbout(test, recording.id)).toMatchObject([
      { action: 'recording.ready', user_id: agent.id, address: null },
    ]);
  });

  it('is created after its uploader was deleted', async () => {
    await createUnassembledUpload(recordingOf(MIB));
    await test.db.query('UPDATE recording_uploads SET user_id = NULL WHERE call_id = $1', [callId]);
    await sweep();
    expect(await recordings()).toMatchObject([{ uploaded_by: null }]);
  });
});

describe('the limit of open uploads', () => {
  const MAX_UPLOADS = 20;

  it('allows each user twenty, also when more are created at once', async () => {
    expect(await createUploads(30)).toEqual([...Array(MAX_UPLOADS).fill(201), ...Array(10).fill(422)]);
    expect(await uploads()).toHaveLength(MAX_UPLOADS);
    expect((await new TusClient(test.url, tenant.owner.token).create(callId, MIB)).status).toBe(201);
  });

  it('no longer counts an upload that was cancelled, finished or abandoned', async () => {
    await createUploads(MAX_UPLOADS - 2);
    const [first, second] = [await peer.begin(callId, MIB), await peer.begin(callId, MIB)];
    expect(await createUploads(1)).toEqual([422]);
    await peer.send('DELETE', first);
    expect(await createUploads(2)).toEqual([201, 422]);
    expect((await peer.patch(second, 0, recordingOf(MIB))).status).toBe(204);
    expect(await createUploads(2)).toEqual([201, 422]);
    test.clock.advance(DAY + 1);
    peer = await peerWithNewToken();
    expect(await createUploads(1)).toEqual([201]);
  });
});
