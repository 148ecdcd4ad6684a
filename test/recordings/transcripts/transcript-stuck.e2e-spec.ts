import { Database } from '../../../src/platform/database/database';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { StalledGenerationSweeper } from '../../../src/recordings/transcripts/stalled-generation-sweeper';
import { held, json, refusal } from '../../support/peers/ai-peer';
import { AiScene } from '../../support/contexts/transcripts';
import { until } from '../../support/until';

let scene: AiScene;

beforeAll(async () => {
  scene = await AiScene.open();
});

beforeEach(() => scene.peer.forget());

afterAll(() => scene.close());

type Table = 'transcripts' | 'summaries';

const run = () => scene.test.get(StalledGenerationSweeper).run();

/** Jobs of the recording that nobody has done yet. */
async function jobs(recordingId: string): Promise<number> {
  const { rows } = await scene.test.db.query(
    `SELECT FROM pgboss.job WHERE data->>'recording_id' = $1 AND state = 'created'`,
    [recordingId],
  );
  return rows.length;
}

const age = (table: Table, recordingId: string, hours: number) =>
  scene.test.db.query(
    `UPDATE ${table} SET requested_at = $2::timestamptz - make_interval(hours => $3) WHERE recording_id = $1`,
    [recordingId, scene.test.clock.now(), hours],
  );

/** A recording whose result was asked for so many hours ago, and has lost its job. */
async function stuck(table: Table, hours: number): Promise<string> {
  const away = refusal(503, 'away', { 'retry-after': '3600' });
  if (table === 'transcripts') scene.peer.transcribe(away);
  else scene.peer.summarise(away);
  const { recording_id } = await scene.recorded();
  await until(async () => (await scene.row(table, recording_id))?.failure === 'http_503');
  await scene.test.db.query(`DELETE FROM pgboss.job WHERE data->>'recording_id' = $1 AND state = 'created'`, [
    recording_id,
  ]);
  await age(table, recording_id, hours);
  return recording_id;
}

describe('a result that has lost its job', () => {
  it.each(['transcripts', 'summaries'] as const)('is made after a day: %s', async (table) => {
    const recording = await stuck(table, 25);
    await run();
    expect(await scene.settled(table, recording)).toMatchObject({ status: 'ready', attempts: 2 });
    // So that it takes no answer of the next one.
    await scene.settled('summaries', recording);
  });

  it('is left to its tries until then', async () => {
    const recording = await stuck('transcripts', 23);
    await run();
    expect(await jobs(recording)).toBe(0);
    expect(await scene.row('transcripts', recording)).toMatchObject({ status: 'pending', attempts: 1 });
  });

  it('gets one job, however often and by however many it is looked for', async () => {
    const provider = held(json({ text: 'Olá' }));
    const recording = await stuck('transcripts', 25);
    scene.peer.forget();
    scene.peer.transcribe(provider.reply);
    await Promise.all([run(), run(), run()]);
    await until(() => scene.peer.transcriptions.length === 1);
    await run();
    expect(await jobs(recording)).toBe(0);
    provider.release();
    await scene.settled('transcripts', recording);
    expect(scene.peer.transcriptions).toHaveLength(1);
  });

  it('has no more tries than any other', async () => {
    const recording = await stuck('transcripts', 25);
    await scene.test.db.query('UPDATE transcripts SET attempts = 10 WHERE recording_id = $1', [recording]);
    await run();
    const row = await scene.settled('transcripts', recording);
    expect(row).toMatchObject({ status: 'failed', failure: 'interrupted' });
  });

  it('that staff asked for again has a day from then on', async () => {
    scene.peer.transcribe(refusal(400));
    const { call_id, recording_id } = await scene.recorded();
    await scene.settled('transcripts', recording_id);
    await age('transcripts', recording_id, 25);
    const provider = held(json({ text: 'Olá' }));
    scene.peer.transcribe(provider.reply);
    scene.peer.forget();
    expect((await scene.retry(call_id)).status).toBe(202);
    await until(() => scene.peer.transcriptions.length === 1);
    const { requested_at } = await scene.row('transcripts', recording_id);
    await run();
    expect((await scene.row('transcripts', recording_id)).requested_at).toEqual(requested_at);
    provider.release();
    await scene.settled('transcripts', recording_id);
  });
});

it('a look for them is a job of every day', async () => {
  const schedules = await scene.test.db.query(
    `SELECT cron FROM pgboss.schedule WHERE name = 'resume-stuck-results'`,
  );
  expect(schedules.rows).toEqual([{ cron: '41 4 * * *' }]);
  const recording = await stuck('transcripts', 25);
  const queue = scene.test.get(Jobs);
  await scene.test.get(Database).system((tx) => queue.enqueue(tx, 'resume-stuck-results', {}));
  expect(await scene.settled('transcripts', recording)).toMatchObject({ status: 'ready' });
});
