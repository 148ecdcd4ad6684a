import { randomBytes } from 'node:crypto';
import { STORAGE, type Storage } from '../../../src/platform/storage/storage';
import { type Member, TestTenant } from '../../support/builders';
import { createRecording, newRecording, readFixture, recordingRows } from '../../support/contexts/recordings';
import { eventsOf } from '../../support/database/rows';
import { startTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { QUEUE_ABSENCE_SECONDS: '36000' }, asInProduction: true });
});

afterAll(() => test.close());

interface Scene {
  owner: Member;
  newCall: () => Promise<string>;
}

async function register(): Promise<Scene> {
  const tenant = await TestTenant.register(test);
  const { link } = await tenant.queue();
  return { owner: tenant.owner, newCall: async () => (await tenant.join(link)).call_id };
}

/** Uploads a recording to a new call of the tenant. @returns the recording and the milliseconds of the response */
async function record({ owner, newCall }: Scene, content: Buffer) {
  const callId = await newCall();
  const start = performance.now();
  const recording = await createRecording(test, callId, owner, content);
  const ms = performance.now() - start;
  const [row] = await recordingRows(test, callId);
  return { recording, callId, ms, isPending: row?.inspection_pending };
}

/** A WebM followed by zeros, which send the parser into an endless loop. */
const endlessRecording = () =>
  Buffer.concat([readFixture('call.webm'), Buffer.alloc(40_000), randomBytes(8)]);

const isAnyPending = async (): Promise<boolean> =>
  (await test.db.query('SELECT FROM recordings WHERE inspection_pending')).rows.length > 0;

/** Lets all reads of the storage wait until the returned function is called. */
function holdReads(): () => void {
  const storage = test.app.get<Storage>(STORAGE, { strict: false });
  const read = storage.read.bind(storage);
  const { promise: isReleased, resolve } = Promise.withResolvers<void>();
  jest.spyOn(storage, 'read').mockImplementation(async (...request) => {
    await isReleased;
    return read(...request);
  });
  return resolve;
}

/** The calls in the order in which their last event was recorded. */
async function orderOfChanges(callIds: string[]): Promise<string[]> {
  const { rows } = await test.db.query(
    'SELECT subject_id FROM domain_events WHERE subject_id = ANY ($1) GROUP BY subject_id ORDER BY max(id)',
    [callIds],
  );
  return rows.map(({ subject_id }) => subject_id);
}

describe('recordings that cannot be inspected within a second', () => {
  afterEach(() => jest.restoreAllMocks());

  it('get their type and duration from a job, tenant by tenant', async () => {
    const [busy, other] = [await register(), await register()];
    const release = holdReads();
    const many = await Promise.all(
      Array.from({ length: 4 }, () =>
        record(
          busy,
          Buffer.concat([readFixture('call-audio.webm'), Buffer.from([0xec, 0x88]), randomBytes(8)]),
        ),
      ),
    );
    const one = await record(other, newRecording());
    for (const { recording, ms } of [...many, one]) {
      expect(recording).toMatchObject({ content_type: 'video/webm', duration: null });
      expect(ms).toBeLessThan(10_000);
    }
    release();
    await until(async () => !(await isAnyPending()));
    for (const { callId } of many) {
      expect(await recordingRows(test, callId)).toMatchObject([{ content_type: 'audio/webm', duration: 2 }]);
      const events = ['call.queued', 'call.updated', 'call.updated'];
      expect(await eventsOf(test, callId)).toEqual(events);
    }
    const listed = await other.owner.api.get(`/api/v1/calls/${one.callId}/recordings`);
    expect(listed.body.data).toEqual([{ ...one.recording, duration: 2 }]);
    const order = await orderOfChanges([one, ...many].map(({ callId }) => callId));
    // The busy tenant's first job was running already.
    expect(order.indexOf(one.callId)).toBe(1);
  });
});

describe('recordings whose inspection does not end', () => {
  afterEach(() => jest.restoreAllMocks());

  it('delay the next recording of their tenant, which gets its duration after those of others', async () => {
    const [careless, other] = [await register(), await register()];
    const endless = await record(careless, endlessRecording());
    // Of the tenant no file is inspected for 5 s, so that a job has to inspect the next one.
    const good = await record(careless, newRecording());
    const release = holdReads();
    const others = await record(other, newRecording());
    release();
    for (const { recording } of [endless, others]) expect(recording.duration).toBeNull();
    await until(
      async () => !(await isAnyPending()),
      () => 'not all recordings were inspected',
      100_000,
    );
    expect(await recordingRows(test, endless.callId)).toMatchObject([{ duration: null }]);
    expect(await recordingRows(test, good.callId)).toMatchObject([{ duration: 2 }]);
    expect(await recordingRows(test, others.callId)).toMatchObject([{ duration: 2 }]);
    // On a busy machine the five seconds can be over when the recording arrives: then it is inspected at once.
    const wasDelayed = good.recording.duration === null;
    if (wasDelayed)
      expect(await orderOfChanges([good.callId, others.callId])).toEqual([others.callId, good.callId]);
  });

  it('are accepted after a second, and do not delay the recordings of another tenant', async () => {
    const [malicious, other] = [await register(), await register()];
    const endless = Array.from({ length: 4 }, () => record(malicious, endlessRecording()));
    const good = [];
    for (let count = 0; count < 3; count++) good.push(await record(other, newRecording()));
    const accepted = await Promise.all(endless);
    for (const { ms } of [...good, ...accepted]) expect(ms).toBeLessThan(10_000);
    for (const { recording, isPending } of accepted) {
      expect(recording).toMatchObject({ content_type: 'video/webm', duration: null });
      expect(isPending).toBe(true);
    }
    // At the latest by a job that comes before those of the endless recordings, which take 20 s.
    for (const { callId } of good) {
      await until(async () => (await recordingRows(test, callId))[0]?.duration === 2);
    }
    expect(await isAnyPending()).toBe(true);
  });
});
