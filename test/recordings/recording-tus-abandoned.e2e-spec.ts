import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { auditedAbout } from '../support/contexts/audit-rows';
import { login, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { MIB, recordingOf, sha256, TusPeer } from '../support/contexts/tus';
import { UploadSweeper } from '../../src/recordings/tus/upload-sweeper';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

let test: TestApp;
let storage: StorageFolder;
let tenant: TestTenant;
let agent: Member;
let peer: TusPeer;
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
  peer = new TusPeer(test.url, agent.token);
  callId = (await tenant.join((await tenant.queue()).link)).call_id;
});

const settle = () => test.get(UploadSweeper).sweep();
const idOf = (location: string): string => location.split('/').at(-1) ?? '';

/** Access tokens do not last as long as the clock is moved here. */
async function laterPeer(): Promise<TusPeer> {
  return new TusPeer(test.url, (await login(test, tenant.slug, agent.email)).token);
}

async function recordings() {
  const { rows } = await test.db.query('SELECT * FROM recordings WHERE call_id = $1', [callId]);
  return rows;
}

const uploads = async () =>
  (await test.db.query('SELECT * FROM recording_uploads WHERE call_id = $1', [callId])).rows;

async function partsOf(location: string): Promise<string[]> {
  const { rows } = await test.db.query(
    'SELECT storage_key FROM recording_upload_parts WHERE upload_id = $1',
    [idOf(location)],
  );
  return rows.map(({ storage_key }) => storage_key);
}

const leaseUntil = (location: string, moment: string) =>
  test.db.query(`UPDATE recording_uploads SET lease_until = ${moment} WHERE id = $1`, [idOf(location)]);

/** A live recording of which so much has come, its length unsaid. */
async function liveUpload(content: Buffer<ArrayBuffer>): Promise<string> {
  const location = await peer.begin(callId);
  for (let at = 0; at < content.length; at += MIB) {
    expect((await peer.patch(location, at, content.subarray(at, at + MIB))).status).toBe(204);
  }
  return location;
}

/** An upload of which all has come, but whose last request died before it made the recording. */
async function leftComplete(content: Buffer<ArrayBuffer>): Promise<string> {
  const location = await liveUpload(content);
  await test.db.query('UPDATE recording_uploads SET length = received WHERE id = $1', [idOf(location)]);
  return location;
}

/** One that can be put together by nobody: a byte of it is nowhere. */
async function leftBroken(): Promise<string> {
  const location = await leftComplete(recordingOf(MIB));
  await test.db.query(
    'UPDATE recording_uploads SET length = length + 1, received = received + 1 WHERE id = $1',
    [idOf(location)],
  );
  return location;
}

/** @returns the statuses of so many that are begun at once */
async function beginMany(count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => peer.create(callId, MIB)));
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectFailure(answer, 422, { code: 'too_many_uploads' });
  }
  return answers.map(({ status }) => status).toSorted();
}

describe('a live recording whose tab was closed', () => {
  const content = recordingOf(3 * MIB);

  it('is kept up to its last chunk, once it was silent for an hour', async () => {
    const location = await liveUpload(content);
    test.clock.advance(59 * MINUTE);
    await settle();
    expect(await recordings()).toEqual([]);
    expect((await (await laterPeer()).head(location)).headers.get('upload-defer-length')).toBe('1');

    test.clock.advance(2 * MINUTE);
    await settle();
    expect(await recordings()).toMatchObject([{ size: String(content.length), sha256: sha256(content) }]);
    const { status, headers } = await (await laterPeer()).head(location);
    expect([status, headers.get('upload-offset'), headers.get('upload-length')]).toEqual([
      200,
      String(content.length),
      String(content.length),
    ]);
  });

  it('is silent from its last chunk on', async () => {
    const location = await liveUpload(content);
    test.clock.advance(59 * MINUTE);
    const more = recordingOf(4 * MIB).subarray(3 * MIB);
    expect((await (await laterPeer()).patch(location, 3 * MIB, more)).status).toBe(204);
    test.clock.advance(59 * MINUTE);
    await settle();
    expect(await recordings()).toEqual([]);
  });

  it('is kept also where the service was down for days, and told for a day more', async () => {
    const location = await liveUpload(content);
    test.clock.advance(3 * DAY);
    await settle();
    expect(await recordings()).toMatchObject([{ sha256: sha256(content) }]);
    expect(await (await laterPeer()).offset(location)).toBe(content.length);
    test.clock.advance(DAY + 1);
    await settle();
    expect(await uploads()).toEqual([]);
  });

  it('is given up when it is no media', async () => {
    const location = await liveUpload(Buffer.alloc(100, 'no media '));
    const parts = await partsOf(location);
    test.clock.advance(61 * MINUTE);
    await settle();
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
    await test.get(StoredObjectsService).sweep();
    expect(storage.files()).not.toEqual(expect.arrayContaining(parts));
  });

  it.each<[string, number | undefined, number]>([
    ['nothing of it came', undefined, 0],
    ['it had said how much more would come', 4 * MIB, MIB],
  ])('is gone after a day where %s', async (_what, length, sent) => {
    const location = await peer.begin(callId, length);
    if (sent) expect((await peer.patch(location, 0, content.subarray(0, sent))).status).toBe(204);
    test.clock.advance(DAY - 1);
    await settle();
    expect(await uploads()).toHaveLength(1);
    test.clock.advance(2);
    await settle();
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
  });
});

describe('a complete upload that cannot be finished', () => {
  it('keeps no newer one waiting, however many there are of it', async () => {
    await test.db.query(
      `INSERT INTO recording_uploads (tenant_id, call_id, user_id, id, length, received, content_type, lease_until,
         expires_at, inserted_at)
       SELECT $1, $2, NULL, gen_random_uuid(), 5, 5, 'video/webm', now() - interval '1 minute',
         $3::timestamptz + interval '1 day', $3::timestamptz - interval '1 hour' FROM generate_series(1, 40)`,
      [tenant.id, callId, test.clock.now()],
    );
    const content = recordingOf(MIB);
    await leftComplete(content);
    await settle();
    expect(await recordings()).toMatchObject([{ sha256: sha256(content) }]);
  });

  it('is given up at once where it is refused for good', async () => {
    const location = await leftComplete(recordingOf(MIB));
    const parts = await partsOf(location);
    expect(storage.files()).toEqual(expect.arrayContaining(parts));
    await test.db.query('UPDATE calls SET erased_at = now() WHERE id = $1', [callId]);
    await settle();
    expect(await uploads()).toEqual([]);
    expect(await recordings()).toEqual([]);
    await test.get(StoredObjectsService).sweep();
    expect(storage.files()).not.toEqual(expect.arrayContaining(parts));
  });

  it('is given up at once also where its last request is refused', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId, MIB);
    expect((await peer.patch(location, 0, content.subarray(0, 1000))).status).toBe(204);
    await test.db.query('UPDATE calls SET erased_at = now() WHERE id = $1', [callId]);
    expectFailure(await peer.patch(location, 1000, content.subarray(1000)), 422, { code: 'call_erased' });
    expect(await uploads()).toEqual([]);
  });

  it('is tried for seven days, then given up', async () => {
    const location = await leftBroken();
    const parts = await partsOf(location);
    test.clock.advance(7 * DAY - 1);
    await settle();
    expect(await uploads()).toHaveLength(1);
    test.clock.advance(2);
    await settle();
    expect(await uploads()).toHaveLength(1);
    await leaseUntil(location, 'NULL');
    await settle();
    expect(await uploads()).toEqual([]);
    await test.get(StoredObjectsService).sweep();
    expect(storage.files()).not.toEqual(expect.arrayContaining(parts));
  });
});

describe('a recording that the schedule makes', () => {
  it('stands in the audit log as its uploader’s', async () => {
    await leftComplete(recordingOf(MIB));
    await settle();
    const [recording] = await recordings();
    expect(await auditedAbout(test, recording.id)).toMatchObject([
      { action: 'recording.ready', user_id: agent.id, address: null },
    ]);
  });

  it('is made also where its uploader is no more', async () => {
    await leftComplete(recordingOf(MIB));
    await test.db.query('UPDATE recording_uploads SET user_id = NULL WHERE call_id = $1', [callId]);
    await settle();
    expect(await recordings()).toMatchObject([{ uploaded_by: null }]);
  });
});

describe('one who opens many uploads', () => {
  const MOST = 20;

  it('has twenty at the most, also of those begun at once; others have theirs', async () => {
    expect(await beginMany(30)).toEqual([...Array(MOST).fill(201), ...Array(10).fill(422)]);
    expect(await uploads()).toHaveLength(MOST);
    expect((await new TusPeer(test.url, tenant.owner.token).create(callId, MIB)).status).toBe(201);
  });

  it('has a place again for each that is given up, finished or abandoned', async () => {
    await beginMany(MOST - 2);
    const [first, second] = [await peer.begin(callId, MIB), await peer.begin(callId, MIB)];
    expect(await beginMany(1)).toEqual([422]);
    await peer.send('DELETE', first);
    expect(await beginMany(2)).toEqual([201, 422]);
    expect((await peer.patch(second, 0, recordingOf(MIB))).status).toBe(204);
    expect(await beginMany(2)).toEqual([201, 422]);
    test.clock.advance(DAY + 1);
    peer = await laterPeer();
    expect(await beginMany(1)).toEqual([201]);
  });
});
