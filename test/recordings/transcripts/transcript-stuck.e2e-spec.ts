import { Database } from '../../../src/platform/database/database';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { StalledGenerationSweeper } from '../../../src/recordings/transcripts/stalled-generation-sweeper';
import { delayedReply, json, errorReply } from '../../support/peers/ai-peer';
import { AiScene } from '../../support/contexts/transcripts';
import { until } from '../../support/until';

let scene: AiScene;

beforeAll(async () => {
  scene = await AiScene.open();
  await scene.learnServer();
});

beforeEach(() => scene.peer.clearRequests());

afterAll(() => scene.close());

type Table = 'transcripts' | 'summaries';

const runSweep = () => scene.test.get(StalledGenerationSweeper).run();

/** Counts the pending jobs of the recording. */
async function countPendingJobs(recordingId: string): Promise<number> {
  const { rows } = await scene.test.db.query(
    `SELECT FROM pgboss.job WHERE data->>'recording_id' = $1 AND state = 'created'`,
    [recordingId],
  );
  return rows.length;
}

const backdate = (table: Table, recordingId: string, hours: number) =>
  scene.test.db.query(
    `UPDATE ${table} SET requested_at = $2::timestamptz - make_interval(hours => $3) WHERE recording_id = $1`,
    [recordingId, scene.test.clock.now(), hours],
  );

/** Creates a recording whose result was requested this many hours ago and has lost its job. Returns its id. */
async function createStalledResult(table: Table, hours: number): Promise<string> {
  const unavailable = errorReply(503, 'away', { 'retry-after': '3600' });
  if (table === 'transcripts') scene.peer.queueTranscriptions(unavailable);
  else scene.peer.queueSummaries(unavailable);
  const { recording_id } = await scene.createRecordedCall();
  await until(async () => (await scene.row(table, recording_id))?.failure === 'http_503');
  await scene.test.db.query(`DELETE FROM pgboss.job WHERE data->>'recording_id' = $1 AND state = 'created'`, [
    recording_id,
  ]);
  await backdate(table, recording_id, hours);
  return recording_id;
}

describe('a result that has lost its job', () => {
  it.each(['transcripts', 'summaries'] as const)('is resumed after a day: %s', async (table) => {
    const recording = await createStalledResult(table, 25);
    await runSweep();
    expect(await scene.waitForResult(table, recording)).toMatchObject({ status: 'ready', attempts: 2 });
    // Prevents the summary from consuming a reply meant for the next test.
    await scene.waitForResult('summaries', recording);
  });

  it('is not resumed before', async () => {
    const recording = await createStalledResult('transcripts', 23);
    await runSweep();
    expect(await countPendingJobs(recording)).toBe(0);
    expect(await scene.row('transcripts', recording)).toMatchObject({ status: 'pending', attempts: 1 });
  });

  it('gets one job, however many sweeps run', async () => {
    const provider = delayedReply(json({ text: 'Olá' }));
    const recording = await createStalledResult('transcripts', 25);
    scene.peer.clearRequests();
    scene.peer.queueTranscriptions(provider.reply);
    await Promise.all([runSweep(), runSweep(), runSweep()]);
    await until(() => scene.peer.transcriptions.length === 1);
    await runSweep();
    expect(await countPendingJobs(recording)).toBe(0);
    provider.release();
    await scene.waitForResult('transcripts', recording);
    expect(scene.peer.transcriptions).toHaveLength(1);
  });

  it('keeps the maximum number of attempts', async () => {
    const recording = await createStalledResult('transcripts', 25);
    await scene.test.db.query('UPDATE transcripts SET attempts = 10 WHERE recording_id = $1', [recording]);
    await runSweep();
    const row = await scene.waitForResult('transcripts', recording);
    expect(row).toMatchObject({ status: 'failed', failure: 'interrupted' });
  });

  it('is resumed only a day after staff retried it', async () => {
    scene.peer.queueTranscriptions(errorReply(400), errorReply(400), errorReply(400));
    const { call_id, recording_id } = await scene.createRecordedCall();
    await scene.waitForResult('transcripts', recording_id);
    await backdate('transcripts', recording_id, 25);
    const provider = delayedReply(json({ text: 'Olá' }));
    scene.peer.queueTranscriptions(provider.reply);
    scene.peer.clearRequests();
    expect((await scene.retry(call_id)).status).toBe(202);
    await until(() => scene.peer.transcriptions.length === 1);
    const { requested_at } = await scene.row('transcripts', recording_id);
    await runSweep();
    expect((await scene.row('transcripts', recording_id)).requested_at).toEqual(requested_at);
    provider.release();
    await scene.waitForResult('transcripts', recording_id);
  });
});

it('the sweep for stalled results runs every day', async () => {
  const schedules = await scene.test.db.query(
    `SELECT cron FROM pgboss.schedule WHERE name = 'resume-stuck-results'`,
  );
  expect(schedules.rows).toEqual([{ cron: '41 4 * * *' }]);
  const recording = await createStalledResult('transcripts', 25);
  const queue = scene.test.get(Jobs);
  await scene.test.get(Database).system((tx) => queue.enqueue(tx, 'resume-stuck-results', {}));
  expect(await scene.waitForResult('transcripts', recording)).toMatchObject({ status: 'ready' });
});
