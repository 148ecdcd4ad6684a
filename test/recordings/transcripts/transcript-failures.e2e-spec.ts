import {
  truncatedReply,
  endlessReply,
  json,
  errorReply,
  type Reply,
  noReply,
  stalledReply,
  text,
} from '../../support/peers/ai-peer';
import { AiTimeouts } from '../../../src/recordings/transcripts/ai/ai-timeouts';
import { AiScene } from '../../support/contexts/transcripts';
import { until } from '../../support/until';

let scene: AiScene;

beforeAll(async () => {
  scene = await AiScene.open();
  await scene.learnServer();
});

afterAll(() => scene.close());

const READY = json({ text: 'At last.' });

/** A request with such a status is sent in each of three forms. */
const refusalsOf = (status: number) =>
  Array.from({ length: [400, 422].includes(status) ? 3 : 1 }, () => errorReply(status));

interface Recorded {
  call_id: string;
  recording_id: string;
}

/** Creates a recording whose transcript has failed. */
async function createFailedTranscript(): Promise<Recorded> {
  scene.peer.queueTranscriptions(...refusalsOf(400));
  const recorded = await scene.createRecordedCall();
  await scene.waitForResult('transcripts', recorded.recording_id);
  return recorded;
}

/** Starts another attempt, as if this many had been made before. */
async function tryAgain(recorded: Recorded, attempts: number): Promise<void> {
  await scene.test.db.query(
    `UPDATE transcripts SET status = 'pending', attempts = $2 WHERE recording_id = $1`,
    [recorded.recording_id, attempts],
  );
  await scene.transcribeAgain(recorded);
}

/** Returns the delay before the next attempt in seconds. */
function delayOf({ recording_id }: Recorded): Promise<number> {
  return until(async () => {
    const { rows } = await scene.test.db.query(
      `SELECT extract(epoch FROM start_after - created_on)::float8 AS seconds FROM pgboss.job
       WHERE data->>'recording_id' = $1 AND state = 'created' AND start_after > now()`,
      [recording_id],
    );
    return rows[0]?.seconds;
  });
}

describe('a temporary failure', () => {
  it.each<[string, Reply, string]>([
    ['a server error', errorReply(500), 'http_500'],
    ['an overload', errorReply(503), 'http_503'],
    ['a server timeout', errorReply(408), 'http_408'],
    ['a conflict', errorReply(409), 'http_409'],
    ['a rate limit', errorReply(429), 'http_429'],
    ['a wrong key', errorReply(401, 'invalid_api_key'), 'http_401'],
    ['a key without permission', errorReply(403), 'http_403'],
    ['a redirect', (response) => void response.writeHead(307, { location: '/v2' }).end(), 'http_307'],
    ['an answer that breaks off', truncatedReply, 'unreachable'],
    ['a connection that breaks off', (response) => void response.destroy(), 'unreachable'],
    ['an answer that never ends', endlessReply, 'invalid_answer'],
    ['a web page', text('<html>Welcome</html>', 'text/html'), 'invalid_answer'],
    ['incomplete JSON', text('{"text": "a', 'application/json'), 'invalid_answer'],
    ['an empty answer', (response) => void response.writeHead(204).end(), 'invalid_answer'],
    ['an answer without text', json({ task: 'transcribe' }), 'invalid_answer'],
    ['a number as text', json({ text: 7, segments: [{ text: {} }] }), 'invalid_answer'],
    ['a list', json([{ text: 'a' }]), 'invalid_answer'],
    ['null', json(null), 'invalid_answer'],
  ])('%s is retried', async (_what, reply, code) => {
    const recorded = Promise.withResolvers<Recorded>();
    let failure: unknown;
    scene.peer.queueTranscriptions(reply, async (response, request) => {
      ({ failure } = await scene.row('transcripts', (await recorded.promise).recording_id));
      await READY(response, request);
    });
    recorded.resolve(await scene.createRecordedCall());
    const row = await scene.waitForResult('transcripts', (await recorded.promise).recording_id);
    expect(row).toMatchObject({ status: 'ready', transcript: 'At last.', attempts: 2, failure: null });
    expect(failure).toBe(code);
  });

  it.each<[string, Reply]>([
    ['no answer', noReply],
    ['an answer that stalls', stalledReply],
    ['an error that stalls', (response) => void response.writeHead(500).write('{')],
  ])('%s counts as a timeout and is retried', async (_what, reply) => {
    const recorded = await createFailedTranscript();
    scene.peer.transcription = reply;
    // Only this attempt has the short timeout: the delay before the next one (see retryDelaySeconds) is long enough to reset it.
    scene.setTimeouts({ transcriptionTimeoutMs: 300 });
    await tryAgain(recorded, 4);
    await until(async () => (await scene.row('transcripts', recorded.recording_id)).failure === 'timeout');
    scene.setTimeouts(new AiTimeouts());
    scene.peer.transcription = READY;
    const row = await scene.waitForResult('transcripts', recorded.recording_id);
    expect(row).toMatchObject({ status: 'ready', transcript: 'At last.', attempts: 6, failure: null });
  });
});

describe('a permanent failure', () => {
  it.each([400, 404, 413, 415, 422])('with status %i is not retried', async (status) => {
    const refusals = refusalsOf(status);
    scene.peer.queueTranscriptions(...refusals);
    scene.peer.clearRequests();
    const { call_id, recording_id } = await scene.createRecordedCall();
    const row = await scene.waitForResult('transcripts', recording_id);
    expect(row).toMatchObject({ status: 'failed', attempts: 1, failure: `http_${status}` });
    for (const answer of [await scene.transcript(call_id), await scene.summary(call_id)]) {
      expect([answer.status, answer.body.errors.code]).toEqual([404, 'failed']);
    }
    expect(scene.peer.transcriptions).toHaveLength(refusals.length);
    expect(await scene.events(recording_id)).toEqual(['transcript.failed']);
  });

  it('is a recording that the storage has lost', async () => {
    const recorded = await createFailedTranscript();
    await scene.test.db.query(
      `WITH nothing AS (INSERT INTO stored_objects (key, tenant_id) VALUES ('no/such/object', $2) RETURNING key)
       UPDATE recordings SET storage_key = nothing.key FROM nothing WHERE id = $1`,
      [recorded.recording_id, scene.tenant.id],
    );
    await tryAgain(recorded, 0);
    const row = await scene.waitForResult('transcripts', recorded.recording_id);
    expect(row).toMatchObject({ status: 'failed', attempts: 1, failure: 'recording_missing' });
  });

  it('follows after ten attempts', async () => {
    const recorded = await createFailedTranscript();
    scene.peer.queueTranscriptions(errorReply(500));
    await tryAgain(recorded, 9);
    const row = await scene.waitForResult('transcripts', recorded.recording_id);
    expect(row).toMatchObject({ status: 'failed', attempts: 10, failure: 'http_500' });
  });

  it('follows when the process died during all ten attempts', async () => {
    const recorded = await createFailedTranscript();
    scene.peer.clearRequests();
    await tryAgain(recorded, 10);
    const row = await scene.waitForResult('transcripts', recorded.recording_id);
    expect(row).toMatchObject({ status: 'failed', failure: 'interrupted' });
    expect(scene.peer.transcriptions).toEqual([]);
  });
});

describe('the next attempt', () => {
  it.each([
    ['waits longer each time', errorReply(500), 4],
    ['waits for the time that Retry-After names', errorReply(429, 'busy', { 'retry-after': '120' }), 120],
    ['waits an hour at most', errorReply(503, 'away', { 'retry-after': '86400' }), 3600],
  ])('%s', async (_what, reply, seconds) => {
    const recorded = await createFailedTranscript();
    scene.peer.queueTranscriptions(reply);
    await tryAgain(recorded, 1);
    expect(Math.round(await delayOf(recorded))).toBe(seconds);
    expect(await scene.row('transcripts', recorded.recording_id)).toMatchObject({
      status: 'pending',
      attempts: 2,
    });
    expect((await scene.transcript(recorded.call_id)).body.errors.code).toBe('not_ready');
    // Prevents its next attempt from consuming a reply meant for another test.
    await scene.test.db.query(`UPDATE transcripts SET status = 'failed' WHERE recording_id = $1`, [
      recorded.recording_id,
    ]);
  });
});

describe('retrying a transcript', () => {
  it('is accepted once for a failed transcript', async () => {
    const { call_id, recording_id } = await createFailedTranscript();
    const answers = await Promise.all(Array.from({ length: 5 }, () => scene.retry(call_id)));
    const [done, ...refused] = answers.toSorted((one, other) => one.status - other.status);
    expect(done?.status).toBe(202);
    expect(done?.body.data).toEqual({ call_id, recording_id, status: 'pending' });
    expect(refused.map(({ status, body }) => [status, body.errors.code])).toEqual(
      Array.from({ length: 4 }, () => [422, 'not_failed']),
    );
    expect(await scene.waitForResult('transcripts', recording_id)).toMatchObject({
      status: 'ready',
      attempts: 1,
    });
    expect((await scene.events(recording_id)).slice(0, 3)).toEqual([
      'transcript.failed',
      'transcript.retried',
      'transcript.ready',
    ]);
  });

  it('is rejected without a transcript and for a recording of another call', async () => {
    const answer = await scene.retry(await scene.createCall());
    expect([answer.status, answer.body.errors.code]).toEqual([404, 'none']);
    const { call_id } = await createFailedTranscript();
    const other = await createFailedTranscript();
    const unknown = await scene.retry(call_id, `?recording_id=${other.recording_id}`);
    expect([unknown.status, unknown.body.errors.code]).toEqual([404, 'not_found']);
  });

  it('requires the role of supervisor', async () => {
    const { call_id } = await createFailedTranscript();
    const attendant = await scene.tenant.member('attendant');
    const answer = await attendant.api.post(`/api/v1/calls/${call_id}/transcript/retry`);
    expect([answer.status, answer.body.errors.code]).toEqual([403, 'forbidden']);
  });
});
