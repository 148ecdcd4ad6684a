import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UploadSweeper } from '../../../src/recordings/tus/upload-sweeper';
import { StoredObjectsService } from '../../../src/platform/storage/stored-objects.service';
import { expectStatus, login, type Member, TestTenant } from '../../support/builders';
import { expectFailure } from '../../support/database/failures';
import { StorageFolder } from '../../support/service/storage-folder';
import { startTestApp, type TestApp } from '../../support/test-app';
import { MIB, recordingOf, sha256, TusClient, sweepUploads } from '../../support/contexts/tus';
import { until } from '../../support/until';
import { UploadAssembler } from '../../../src/recordings/tus/upload-assembler';

const DAY = 24 * 60 * 60;

let test: TestApp;
/** A second instance on the same database and storage. */
let secondApp: TestApp;
const storage = new StorageFolder();
let tenant: TestTenant;
let agent: Member;
let peer: TusClient;
let secondPeer: TusClient;
let callId: string;

beforeAll(async () => {
  test = await startTestApp({ env: storage.env });
  secondApp = await startTestApp({ env: storage.env, databaseUrl: test.databaseUrl });
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  peer = new TusClient(test.url, agent.token);
  secondPeer = new TusClient(secondApp.url, agent.token);
  callId = (await tenant.join((await tenant.queue()).link)).call_id;
  // Otherwise the call's deadlines would pass with the clock, and be handled while the tenant is deleted.
  expectStatus(await agent.api.post(`/api/v1/calls/${callId}/complete`, {}), 200);
});

/** Each test starts with an empty storage. */
afterEach(async () => {
  await deleteTenant();
  expect(await storedKeys()).toEqual([]);
});

afterAll(async () => {
  await secondApp.close();
  await test.close();
  storage.remove();
});

const uploadIdOf = (location: string): string => location.split('/').at(-1) ?? '';
const sweep = () => sweepUploads(test);

const deleteTenant = () => test.db.query('DELETE FROM tenants WHERE id = $1', [tenant.id]);

/** Removes unreferenced objects and returns the keys of the remaining ones. */
async function storedKeys(): Promise<string[]> {
  await test.get(StoredObjectsService).sweep();
  return storage.files();
}

async function recordings() {
  const { rows } = await test.db.query('SELECT * FROM recordings WHERE call_id = $1', [callId]);
  return rows;
}

async function uploadRow(location: string) {
  const { rows } = await test.db.query('SELECT * FROM recording_uploads WHERE id = $1', [
    uploadIdOf(location),
  ]);
  return rows[0];
}

async function expectRecordedOnce(content: Buffer): Promise<void> {
  const [recording, ...others] = await recordings();
  expect(others).toEqual([]);
  expect(recording).toMatchObject({
    size: String(content.length),
    sha256: sha256(content),
    uploaded_by: agent.id,
  });
  expect(await storedKeys()).toEqual([recording.storage_key]);
  const { rows } = await test.db.query(
    `SELECT FROM domain_events WHERE type = 'recording.ready' AND subject_id = $1`,
    [recording.id],
  );
  expect(rows).toHaveLength(1);
}

/** Creates an upload that was received completely, but whose last request died before it created the recording. */
async function createUnassembledUpload(content: Buffer<ArrayBuffer>): Promise<string> {
  const location = await peer.begin(callId);
  expect((await peer.patch(location, 0, content)).status).toBe(204);
  await test.db.query('UPDATE recording_uploads SET length = received WHERE id = $1', [uploadIdOf(location)]);
  return location;
}

const setLease = (location: string, moment: string) =>
  test.db.query(`UPDATE recording_uploads SET lease_until = ${moment} WHERE id = $1`, [uploadIdOf(location)]);

describe('concurrent requests at the same offset', () => {
  const contents = [recordingOf(30 * MIB, 'a'), recordingOf(30 * MIB, 'b')] as const;

  it.each<[string, () => TusClient]>([
    ['to one instance', () => peer],
    ['to two instances', () => secondPeer],
  ])('%s: one is stored, the other fails with offset_conflict', async (_where, other) => {
    const location = await peer.begin(callId, 30 * MIB);
    const answers = await Promise.all([
      peer.patch(location, 0, contents[0].subarray(0, 12 * MIB)),
      other().patch(location, 0, contents[1].subarray(0, 12 * MIB)),
    ]);
    const winner = answers[0].status === 204 ? 0 : 1;
    expect(answers[winner]?.status).toBe(204);
    expect(answers[1 - winner]?.body.errors?.code).toBe('offset_conflict');
    const offset = await peer.offset(location);
    expect((await peer.patch(location, offset, contents[winner].subarray(offset))).status).toBe(204);
    await expectRecordedOnce(contents[winner]);
  });

  it('on two instances: a stalled request yields to the new one', async () => {
    const content = contents[0];
    const location = await peer.begin(callId, content.length);
    const hanging = peer.open(location, 0, content.length, content.subarray(0, 10 * MIB));
    await until(async () => Number((await uploadRow(location)).received) === 8 * MIB);
    const answer = await secondPeer.patch(location, 8 * MIB, content.subarray(8 * MIB));
    expect(answer.status).toBe(204);
    hanging.abort();
    await until(async () => (await storedKeys()).length === 1);
    await expectRecordedOnce(content);
  });
});

describe('a complete upload without a recording', () => {
  const content = recordingOf(10 * MIB);

  it('is assembled by the sweep', async () => {
    const location = await createUnassembledUpload(content);
    expect(await recordings()).toEqual([]);
    await sweep();
    await expectRecordedOnce(content);
    expect(await peer.offset(location)).toBe(content.length);
    await sweep();
    await expectRecordedOnce(content);
  });

  it('is left to the holder of the lease until the lease expires', async () => {
    const location = await createUnassembledUpload(content);
    await setLease(location, `now() + interval '1 minute'`);
    await sweep();
    expect(await recordings()).toEqual([]);
    await setLease(location, `now() - interval '1 second'`);
    await sweep();
    await expectRecordedOnce(content);
  });

  it('is assembled once by concurrent attempts', async () => {
    const id = uploadIdOf(await createUnassembledUpload(content));
    const attempts = [test, secondApp, test, secondApp].map((app) =>
      app.get(UploadAssembler).assemble(tenant.id, id),
    );
    const createdIds = (await Promise.all(attempts)).filter((one) => one !== undefined);
    expect(createdIds).toEqual([(await recordings())[0].id]);
    await expectRecordedOnce(content);
  });

  it('is assembled once when an instance loses its lease without noticing', async () => {
    const location = await createUnassembledUpload(content);
    const first = test.get(UploadAssembler).assemble(tenant.id, uploadIdOf(location));
    await until(async () => (await uploadRow(location)).lease_until !== null);
    await setLease(location, 'NULL');
    const second = secondApp.get(UploadAssembler).assemble(tenant.id, uploadIdOf(location));
    const createdIds = (await Promise.all([first, second])).filter((one) => one !== undefined);
    expect(createdIds).toEqual([(await recordings())[0].id]);
    await expectRecordedOnce(content);
  });

  it('is left to the next attempt when the signal of an attempt is aborted', async () => {
    const location = await createUnassembledUpload(content);
    const before = await storedKeys();
    const controller = new AbortController();
    const attempt = test.get(UploadAssembler).assemble(tenant.id, uploadIdOf(location), controller.signal);
    controller.abort();
    await expect(attempt).rejects.toThrow('aborted');
    expect(await recordings()).toEqual([]);
    expect((await uploadRow(location)).lease_until).toBeNull();
    expect(await storedKeys()).toEqual(before);
    await sweep();
    await expectRecordedOnce(content);
  });

  it('has one job of its own, however many sweeps find it', async () => {
    const ids = [
      uploadIdOf(await createUnassembledUpload(content)),
      uploadIdOf(await createUnassembledUpload(recordingOf(MIB, 'b'))),
    ];
    await Promise.all([test, secondApp].map((app) => app.get(UploadSweeper).sweep()));
    await sweep();
    const { rows } = await test.db.query(
      `SELECT singleton_key FROM pgboss.job WHERE name = 'assemble-recording-upload' AND singleton_key = ANY ($1)`,
      [ids],
    );
    expect(rows.map(({ singleton_key }) => singleton_key).sort()).toEqual([...ids].sort());
    expect(await recordings()).toHaveLength(2);
  });

  it('does not become a recording after it was cancelled', async () => {
    const location = await createUnassembledUpload(content);
    expect((await peer.send('DELETE', location)).status).toBe(204);
    await sweep();
    expect(await recordings()).toEqual([]);
    expect(await storedKeys()).toEqual([]);
  });

  it('is kept and retried while the storage fails', async () => {
    const location = await peer.begin(callId, content.length);
    expect((await peer.patch(location, 0, content.subarray(0, MIB))).status).toBe(204);
    const [part = ''] = storage.files();
    const [partPath, movedPath] = [join(storage.path, part), join(storage.path, 'away')];
    renameSync(partPath, movedPath);
    expectFailure(await peer.patch(location, MIB, content.subarray(MIB)), 503, {
      code: 'storage_unavailable',
    });
    expect(await peer.offset(location)).toBe(content.length);
    test.clock.advance(6 * DAY);
    await setLease(location, 'NULL');
    await sweep();
    expect(await recordings()).toEqual([]);

    renameSync(movedPath, partPath);
    await setLease(location, 'NULL');
    await sweep();
    await expectRecordedOnce(content);
  });
});

describe('an upload without further requests', () => {
  it('is removed after a day together with its stored parts', async () => {
    const location = await peer.begin(callId, 20 * MIB);
    await peer.patch(location, 0, recordingOf(9 * MIB));
    await sweep();
    expect(await storedKeys()).toHaveLength(2);

    test.clock.advance(DAY + 1);
    const later = new TusClient(test.url, (await login(test, tenant.slug, agent.email)).token);
    expect((await later.head(location)).status).toBe(404);
    expect((await later.patch(location, 9 * MIB, 'x')).status).toBe(404);
    await sweep();
    expect(await uploadRow(location)).toBeUndefined();
    const { rows } = await test.db.query('SELECT FROM recording_upload_parts');
    expect(rows).toEqual([]);
    expect(await storedKeys()).toEqual([]);
  });

  it('is kept with its parts while a legal hold on the customer or the company is in force', async () => {
    const created = await tenant.owner.api.post('/api/v1/customers', { name: 'Carla' });
    const customer: string = created.body.data.id;
    await test.db.query('UPDATE calls SET customer_id = $2 WHERE id = $1', [callId, customer]);
    const location = await peer.begin(callId, 20 * MIB);
    await peer.patch(location, 0, recordingOf(9 * MIB));
    const parts = await storedKeys();
    test.clock.advance(DAY + 1);
    for (const customerId of [customer, null]) {
      await test.db.query(
        `INSERT INTO legal_holds (tenant_id, customer_id, reason, inserted_at) VALUES ($1, $2, 'A lawsuit', now())`,
        [tenant.id, customerId],
      );
      await sweep();
      expect([await uploadRow(location), await storedKeys()]).toEqual([expect.anything(), parts]);
      await test.db.query('DELETE FROM legal_holds WHERE tenant_id = $1', [tenant.id]);
    }
    await sweep();
    expect([await uploadRow(location), await storedKeys()]).toEqual([undefined, []]);
  });

  it('is kept for a day when it is finished, and its recording stays', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId, MIB);
    await peer.patch(location, 0, content);
    await sweep();
    expect(await uploadRow(location)).toBeDefined();
    test.clock.advance(DAY + 1);
    await sweep();
    expect(await uploadRow(location)).toBeUndefined();
    await expectRecordedOnce(content);
  });

  it('leaves no objects when it is cancelled or refused', async () => {
    const location = await peer.begin(callId, 20 * MIB);
    await peer.patch(location, 0, recordingOf(9 * MIB));
    expect(await storedKeys()).toHaveLength(2);
    await peer.send('DELETE', location);
    expect(await storedKeys()).toEqual([]);
    const refused = await peer.begin(callId, MIB);
    expect((await peer.patch(refused, 0, Buffer.alloc(MIB, 'no media '))).status).toBe(422);
    expect(await storedKeys()).toEqual([]);
  });

  it('is removed with its tenant', async () => {
    const location = await peer.begin(callId, 2 * MIB);
    await peer.patch(location, 0, recordingOf(MIB));
    await deleteTenant();
    expect(await uploadRow(location)).toBeUndefined();
    expect(await storedKeys()).toEqual([]);
  });
});

it('a graceful shutdown stores the received data first', async () => {
  const content = recordingOf(4 * MIB);
  const stoppingApp = await startTestApp({ env: storage.env, databaseUrl: test.databaseUrl });
  // Earlier tests may have moved the clock.
  stoppingApp.clock.advance((test.clock.now().getTime() - Date.now()) / 1000);
  const location = await peer.begin(callId, content.length);
  const { sent } = new TusClient(stoppingApp.url, agent.token).open(
    location,
    0,
    content.length,
    content.subarray(0, 2 * MIB),
  );
  await sent;
  const sizeOf = (file: string) => statSync(join(storage.path, file), { throwIfNoEntry: false })?.size ?? 0;
  await until(() => storage.files().some((file) => sizeOf(file) > MIB));
  await stoppingApp.close();
  const offset = Number((await uploadRow(location)).received);
  expect(offset).toBeGreaterThan(MIB);
  expect((await peer.patch(location, offset, content.subarray(offset))).status).toBe(204);
  await expectRecordedOnce(content);
});
