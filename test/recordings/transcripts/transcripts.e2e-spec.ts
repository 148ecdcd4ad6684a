import { RecordingsService } from '../../../src/recordings/recordings.service';
import { delayedReply, json, type Reply } from '../../support/peers/ai-peer';
import { TestTenant } from '../../support/builders';
import { addRecording, WEBM } from '../../support/contexts/add-recording';
import { AiScene } from '../../support/contexts/transcripts';
import { until } from '../../support/until';

let scene: AiScene;

beforeAll(async () => {
  scene = await AiScene.open();
});

beforeEach(() => scene.peer.clearRequests());

afterAll(() => scene.close());

const replyWithSize: Reply = (response, request) =>
  json({ text: String(request.file?.content.length) })(response, request);

describe('a transcript', () => {
  it('is requested with the recording and can be read once it is ready', async () => {
    const provider = delayedReply(json({ text: 'Olá, tudo bem?', language: 'portuguese' }));
    scene.peer.queueTranscriptions(provider.reply);
    const { call_id, recording_id } = await scene.createRecordedCall();

    const early = await scene.transcript(call_id);
    expect([early.status, early.body.errors.code]).toEqual([404, 'not_ready']);
    await until(() => scene.peer.transcriptions.length === 1);
    provider.release();
    await scene.waitForResult('transcripts', recording_id);

    const { status, body } = await scene.transcript(call_id);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      call_id,
      transcript: 'Olá, tudo bem?',
      language: 'pt',
      generated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await scene.row('transcripts', recording_id)).toMatchObject({
      tenant_id: scene.tenant.id,
      status: 'ready',
      attempts: 1,
      provider: '127.0.0.1',
      model: 'whisper-1',
      failure: null,
    });
  });

  it('is requested with the stored recording', async () => {
    const { recording_id } = await scene.createRecordedCall();
    await scene.waitForResult('transcripts', recording_id);
    const [request] = scene.peer.transcriptions;
    expect(request?.headers.authorization).toBe('Bearer sk-secret');
    expect(request?.headers['content-length']).toMatch(/^\d+$/);
    expect(Object.keys(request?.headers ?? {}).filter((name) => /stainless|organization/.test(name))).toEqual(
      [],
    );
    expect(request?.body).toEqual({ model: 'whisper-1', response_format: 'verbose_json' });
    expect(request?.file).toMatchObject({
      name: expect.stringMatching(/^[\w-]+\.webm$/),
      type: 'video/webm',
    });
    expect(request?.file?.content.equals(WEBM)).toBe(true);
  });

  it('has one line per speaker turn', async () => {
    const segments = [
      { speaker: 'A', text: ' Good morning.' },
      { speaker: 'A', text: ' This is Ana.' },
      { speaker: 'B', text: ' Hello.' },
    ];
    scene.peer.queueTranscriptions(json({ text: 'Good morning. This is Ana. Hello.', segments }));
    const { call_id, recording_id } = await scene.createRecordedCall();
    await scene.waitForResult('transcripts', recording_id);
    const { transcript } = (await scene.transcript(call_id)).body.data;
    expect(transcript).toBe('A: Good morning. This is Ana.\nB: Hello.');
  });

  it('is empty for silence', async () => {
    scene.peer.queueTranscriptions(json({ text: '' }));
    const { call_id, recording_id } = await scene.createRecordedCall();
    await scene.waitForResult('transcripts', recording_id);
    expect((await scene.transcript(call_id)).body.data).toMatchObject({ transcript: '', language: 'und' });
  });

  it.each([
    ['NUL and other control characters', { text: 'a\0b\u0007c\r\nd\te' }, 'abc\nd\te'],
    ['five million characters', { text: 'á'.repeat(5_000_000) }, 'á'.repeat(1_000_000)],
    ['half a surrogate pair', { text: 'a\ud83d' }, 'a\ufffd'],
    ['markup', { text: '<script>alert(1)</script>' }, '<script>alert(1)</script>'],
  ])('is stored when the answer contains %s', async (_what, answer, transcript) => {
    scene.peer.queueTranscriptions(json(answer));
    const { recording_id } = await scene.createRecordedCall();
    const row = await scene.waitForResult('transcripts', recording_id);
    expect(row.status).toBe('ready');
    expect(row.transcript === transcript).toBe(true);
  });

  it('is stored once, however often the job runs', async () => {
    const provider = delayedReply(json({ text: 'first' }));
    scene.peer.queueTranscriptions(provider.reply, provider.reply);
    const { call_id, recording_id } = await scene.createRecordedCall();
    await until(() => scene.peer.transcriptions.length === 1);
    // As after a process that was presumed dead but lives.
    await scene.transcribeAgain({ call_id, recording_id });
    await until(() => scene.peer.transcriptions.length === 2);
    provider.release();
    await scene.waitForResult('transcripts', recording_id);
    await scene.waitForResult('summaries', recording_id);
    await scene.transcribeAgain({ call_id, recording_id });
    await until(async () => {
      const { rows } = await scene.test.db.query(
        `SELECT FROM pgboss.job WHERE data->>'recording_id' = $1 AND state <> 'completed'`,
        [recording_id],
      );
      return rows.length === 0;
    });
    expect(scene.peer.transcriptions).toHaveLength(2);
    expect(await scene.events(recording_id)).toEqual(['transcript.ready', 'summary.ready']);
  });

  it('is dropped when its recording is deleted during transcription', async () => {
    const provider = delayedReply(json({ text: 'too late' }));
    scene.peer.queueTranscriptions(provider.reply);
    const { call_id, recording_id } = await scene.createRecordedCall();
    await until(() => scene.peer.transcriptions.length === 1);
    await scene.test.get(RecordingsService).remove(scene.tenant.id, { call_id, recording_id });
    provider.release();
    await until(async () => {
      const { rows } = await scene.test.db.query(
        `SELECT FROM pgboss.job WHERE data->>'recording_id' = $1 AND state = 'completed'`,
        [recording_id],
      );
      return rows.length > 0;
    });
    expect(await scene.row('transcripts', recording_id)).toBeUndefined();
    expect((await scene.transcript(call_id)).body.errors.code).toBe('none');
    expect(await scene.events(recording_id)).toEqual([]);
  });

  it('belongs to the newest recording, unless recording_id names another one', async () => {
    scene.peer.queueTranscriptions(replyWithSize, replyWithSize);
    const { call_id, recording_id: older } = await scene.createRecordedCall();
    scene.test.clock.advance(1000);
    const newer = await addRecording(
      scene.test,
      scene.tenant,
      call_id,
      Buffer.concat([WEBM, Buffer.alloc(7)]),
    );
    for (const id of [older, newer]) await scene.waitForResult('transcripts', id);
    const read = async (query: string) => (await scene.transcript(call_id, query)).body.data.transcript;
    expect(await read('')).toBe(String(WEBM.length + 7));
    expect(await read(`?recording_id=${older}`)).toBe(String(WEBM.length));
    const foreign = await scene.createRecordedCall();
    const unknown = await scene.transcript(call_id, `?recording_id=${foreign.recording_id}`);
    expect([unknown.status, unknown.body.errors.code]).toEqual([404, 'not_found']);
    expect((await scene.transcript(call_id, '?recording_id=7')).status).toBe(400);
  });

  it('does not exist for a call without a recording', async () => {
    const call = await scene.createCall();
    for (const answer of [await scene.transcript(call), await scene.summary(call)]) {
      expect([answer.status, answer.body.errors.code]).toEqual([404, 'none']);
    }
  });

  it('is hidden from users who may not see the call', async () => {
    const { call_id } = await scene.createRecordedCall();
    const stranger = await TestTenant.register(scene.test);
    for (const result of ['transcript', 'summary']) {
      const answer = await stranger.owner.api.get(`/api/v1/calls/${call_id}/${result}`);
      expect([answer.status, answer.body.errors.code]).toEqual([404, 'not_found']);
    }
  });

  it('is neither made nor readable on a plan without transcripts', async () => {
    const basicTenant = await TestTenant.register(scene.test, 'basic');
    const { link } = await basicTenant.queue();
    const { call_id } = await basicTenant.join(link);
    const recording_id = await addRecording(scene.test, basicTenant, call_id);
    expect(await scene.row('transcripts', recording_id)).toBeUndefined();
    for (const result of ['transcript', 'summary']) {
      const answer = await basicTenant.owner.api.get(`/api/v1/calls/${call_id}/${result}`);
      expect([answer.status, answer.body.errors.code]).toEqual([403, 'feature_not_in_plan']);
    }
  });
});

it.each([
  [{ AI_TRANSCRIPTION_MODEL: 'whisper-1', AI_SUMMARY_MODEL: '' }, [true, false]],
  [{ AI_TRANSCRIPTION_MODEL: '', AI_SUMMARY_MODEL: '' }, [false, false]],
])('staff know what the service can write with %j', async (env, expected) => {
  const other = await AiScene.open(env);
  try {
    const { has_transcripts, has_summaries } = (await other.owner.api.get('/api/v1/users/me')).body.data
      .tenant;
    expect([has_transcripts, has_summaries]).toEqual(expected);
  } finally {
    await other.close();
  }
});

it('no transcript is requested without a configured model', async () => {
  const other = await AiScene.open({ AI_TRANSCRIPTION_MODEL: '', AI_SUMMARY_MODEL: '' });
  try {
    const { call_id, recording_id } = await other.createRecordedCall();
    expect(await other.row('transcripts', recording_id)).toBeUndefined();
    expect((await other.transcript(call_id)).body.errors.code).toBe('none');
    const retried = await other.retry(call_id);
    expect([retried.status, retried.body.errors.code]).toEqual([404, 'none']);
  } finally {
    await other.close();
  }
});

it('at most four recordings are transcribed at once', async () => {
  const provider = delayedReply(json({ text: 'Olá' }));
  scene.peer.queueTranscriptions(...Array.from({ length: 6 }, () => provider.reply));
  const recorded = await Promise.all(Array.from({ length: 6 }, () => scene.createRecordedCall()));
  await until(() => scene.peer.transcriptions.length === 4);
  const waiting = await scene.test.db.query(
    `SELECT FROM pgboss.job WHERE name = 'transcribe-recording' AND state = 'created'`,
  );
  expect(waiting.rows).toHaveLength(2);
  provider.release();
  for (const { recording_id } of recorded) await scene.waitForResult('transcripts', recording_id);
  expect(scene.peer.transcriptions).toHaveLength(6);
});
