import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { StoredObjectsService } from '../../src/platform/storage/stored-objects.service';
import { login, type Member, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { StorageFolder } from '../support/service/storage-folder';
import { startTestApp, type TestApp } from '../support/test-app';
import { MIB, recordingOf, sha256, TusPeer } from '../support/contexts/tus';
import { until } from '../support/until';
import { UploadAssembler } from '../../src/recordings/tus/upload-assembler';
import { UploadSweeper } from '../../src/recordings/tus/upload-sweeper';

const DAY = 24 * 60 * 60;

let test: TestApp;
/** Another instance on the same database and storage. */
let beside: TestApp;
const storage = new StorageFolder();
let tenant: TestTenant;
let agent: Member;
let peer: TusPeer;
let besidePeer: TusPeer;
let callId: string;

beforeAll(async () => {
  test = await startTestApp({ env: storage.env });
  beside = await startTestApp({ env: storage.env, databaseUrl: test.databaseUrl });
});

beforeEach(async () => {
  tenant = await TestTenant.register(test);
  agent = await tenant.member();
  peer = new TusPeer(test.url, agent.token);
  besidePeer = new TusPeer(beside.url, agent.token);
  callId = (await tenant.join((await tenant.queue()).link)).call_id;
});

/** Each test finds the storage empty. */
afterEach(async () => {
  await test.db.query('DELETE FROM tenants WHERE id = $1', [tenant.id]);
  expect(await stored()).toEqual([]);
});

afterAll(async () => {
  await beside.close();
  await test.close();
  storage.remove();
});

const idOf = (location: string): string => location.split('/').at(-1) ?? '';
const settle = () => test.get(UploadSweeper).sweep();

/** What lies in the storage once everything is swept that nothing stands for. */
async function stored(): Promise<string[]> {
  await test.get(StoredObjectsService).sweep();
  return storage.files();
}

async function recordings() {
  const { rows } = await test.db.query('SELECT * FROM recordings WHERE call_id = $1', [callId]);
  return rows;
}

async function uploadRow(location: string) {
  const { rows } = await test.db.query('SELECT * FROM recording_uploads WHERE id = $1', [idOf(location)]);
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
  expect(await stored()).toEqual([recording.storage_key]);
  const { rows } = await test.db.query(
    `SELECT FROM domain_events WHERE type = 'recording.ready' AND subject_id = $1`,
    [recording.id],
  );
  expect(rows).toHaveLength(1);
}

/** An upload of which all has come, but whose last request died before it made the recording. */
async function leftComplete(content: Buffer<ArrayBuffer>): Promise<string> {
  const location = await peer.begin(callId);
  expect((await peer.patch(location, 0, content)).status).toBe(204);
  await test.db.query('UPDATE recording_uploads SET length = received WHERE id = $1', [idOf(location)]);
  return location;
}

const leaseUntil = (location: string, moment: string) =>
  test.db.query(`UPDATE recording_uploads SET lease_until = ${moment} WHERE id = $1`, [idOf(location)]);

describe('two who send at one offset', () => {
  const contents = [recordingOf(30 * MIB, 'a'), recordingOf(30 * MIB, 'b')] as const;

  it.each<[string, () => TusPeer]>([
    ['to one instance', () => peer],
    ['to two instances', () => besidePeer],
  ])('%s: one of them does, the other one is told', async (_where, other) => {
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

  it('on two instances, of which one hangs: it gives way', async () => {
    const content = contents[0];
    const location = await peer.begin(callId, content.length);
    const hanging = peer.open(location, 0, content.length, content.subarray(0, 10 * MIB));
    await until(async () => Number((await uploadRow(location)).received) === 8 * MIB);
    const answer = await besidePeer.patch(location, 8 * MIB, content.subarray(8 * MIB));
    expect(answer.status).toBe(204);
    hanging.breakOff();
    await until(async () => (await stored()).length === 1);
    await expectRecordedOnce(content);
  });
});

describe('a complete upload that nobody finished', () => {
  const content = recordingOf(10 * MIB);

  it('is finished by the schedule', async () => {
    const location = await leftComplete(content);
    expect(await recordings()).toEqual([]);
    await settle();
    await expectRecordedOnce(content);
    expect(await peer.offset(location)).toBe(content.length);
    await settle();
    await expectRecordedOnce(content);
  });

  it('is left to whoever is at it, until their lease runs out', async () => {
    const location = await leftComplete(content);
    await leaseUntil(location, `now() + interval '1 minute'`);
    await settle();
    expect(await recordings()).toEqual([]);
    await leaseUntil(location, `now() - interval '1 second'`);
    await settle();
    await expectRecordedOnce(content);
  });

  it('is finished once by many who try at once', async () => {
    const id = idOf(await leftComplete(content));
    const tries = [test, beside, test, beside].map((app) => app.get(UploadAssembler).assemble(tenant.id, id));
    const made = (await Promise.all(tries)).filter((one) => one !== undefined);
    expect(made).toEqual([(await recordings())[0].id]);
    await expectRecordedOnce(content);
  });

  it('is finished once also where somebody has lost the lease and does not know', async () => {
    const location = await leftComplete(content);
    const first = test.get(UploadAssembler).assemble(tenant.id, idOf(location));
    await until(async () => (await uploadRow(location)).lease_until !== null);
    await leaseUntil(location, 'NULL');
    const second = beside.get(UploadAssembler).assemble(tenant.id, idOf(location));
    const made = (await Promise.all([first, second])).filter((one) => one !== undefined);
    expect(made).toEqual([(await recordings())[0].id]);
    await expectRecordedOnce(content);
  });

  it('is not made a recording any more once it was given up', async () => {
    const location = await leftComplete(content);
    expect((await peer.send('DELETE', location)).status).toBe(204);
    await settle();
    expect(await recordings()).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('is kept, and tried again, while the storage fails', async () => {
    const location = await peer.begin(callId, content.length);
    expect((await peer.patch(location, 0, content.subarray(0, MIB))).status).toBe(204);
    const [part = ''] = storage.files();
    const [there, away] = [join(storage.path, part), join(storage.path, 'away')];
    renameSync(there, away);
    expectFailure(await peer.patch(location, MIB, content.subarray(MIB)), 503, {
      code: 'storage_unavailable',
    });
    expect(await peer.offset(location)).toBe(content.length);
    test.clock.advance(6 * DAY);
    await leaseUntil(location, 'NULL');
    await settle();
    expect(await recordings()).toEqual([]);

    renameSync(away, there);
    await leaseUntil(location, 'NULL');
    await settle();
    await expectRecordedOnce(content);
  });
});

describe('what nobody goes on with', () => {
  it('is gone after a day, with what was stored of it', async () => {
    const location = await peer.begin(callId, 20 * MIB);
    await peer.patch(location, 0, recordingOf(9 * MIB));
    await settle();
    expect(await stored()).toHaveLength(2);

    test.clock.advance(DAY + 1);
    const later = new TusPeer(test.url, (await login(test, tenant.slug, agent.email)).token);
    expect((await later.head(location)).status).toBe(404);
    expect((await later.patch(location, 9 * MIB, 'x')).status).toBe(404);
    await settle();
    expect(await uploadRow(location)).toBeUndefined();
    const { rows } = await test.db.query('SELECT FROM recording_upload_parts');
    expect(rows).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('is remembered for a day when it was finished; the recording stays', async () => {
    const content = recordingOf(MIB);
    const location = await peer.begin(callId, MIB);
    await peer.patch(location, 0, content);
    await settle();
    expect(await uploadRow(location)).toBeDefined();
    test.clock.advance(DAY + 1);
    await settle();
    expect(await uploadRow(location)).toBeUndefined();
    await expectRecordedOnce(content);
  });

  it('leaves nothing when it is given up or refused', async () => {
    const location = await peer.begin(callId, 20 * MIB);
    await peer.patch(location, 0, recordingOf(9 * MIB));
    expect(await stored()).toHaveLength(2);
    await peer.send('DELETE', location);
    expect(await stored()).toEqual([]);
    const refused = await peer.begin(callId, MIB);
    expect((await peer.patch(refused, 0, Buffer.alloc(MIB, 'no media '))).status).toBe(422);
    expect(await stored()).toEqual([]);
  });

  it('goes with its tenant', async () => {
    const location = await peer.begin(callId, 2 * MIB);
    await peer.patch(location, 0, recordingOf(MIB));
    await test.db.query('DELETE FROM tenants WHERE id = $1', [tenant.id]);
    expect(await uploadRow(location)).toBeUndefined();
    expect(await stored()).toEqual([]);
  });
});

it('a service that stops in order stores first what has come', async () => {
  const content = recordingOf(4 * MIB);
  const leaving = await startTestApp({ env: storage.env, databaseUrl: test.databaseUrl });
  // Tests before may have moved the clock.
  leaving.clock.advance((test.clock.now().getTime() - Date.now()) / 1000);
  const location = await peer.begin(callId, content.length);
  const { sent } = new TusPeer(leaving.url, agent.token).open(
    location,
    0,
    content.length,
    content.subarray(0, 2 * MIB),
  );
  await sent;
  await until(() => storage.files().length > 0);
  await leaving.close();
  const offset = Number((await uploadRow(location)).received);
  expect(offset).toBeGreaterThan(MIB);
  expect((await peer.patch(location, offset, content.subarray(offset))).status).toBe(204);
  await expectRecordedOnce(content);
});
