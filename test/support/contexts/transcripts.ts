import { Database } from '../../../src/platform/database/database';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { AiTimeouts } from '../../../src/recordings/transcripts/ai/ai-timeouts';
import { AiPeer } from '../peers/ai-peer';
import type { Json } from '../http/api';
import { type Member, TestTenant } from '../builders';
import { addRecording } from './add-recording';
import { startTestApp, type TestApp } from '../test-app';
import { until } from '../until';

/** Models as an operator may configure them. */
const MODELS = { AI_TRANSCRIPTION_MODEL: 'whisper-1', AI_SUMMARY_MODEL: 'gpt-4o-mini' };

/** An application with an AI provider that the spec controls, and a tenant with calls. */
export class AiScene {
  private constructor(
    readonly test: TestApp,
    readonly peer: AiPeer,
    readonly tenant: TestTenant,
    readonly owner: Member,
    private readonly link: Json,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<AiScene> {
    const peer = await AiPeer.start();
    const test = await startTestApp({
      env: { AI_BASE_URL: peer.url, AI_API_KEY: 'sk-secret', ...MODELS, ...env },
    });
    const tenant = await TestTenant.register(test);
    const { link } = await tenant.queue({ max_queue_size: 1000, max_wait_time: 36_000 });
    return new AiScene(test, peer, tenant, tenant.owner, link);
  }

  async close(): Promise<void> {
    await this.peer.stop();
    await this.test.close();
  }

  /** Lets the service find out what the provider accepts, so that a refusal is one of the recording from then on. */
  async learnServer(): Promise<void> {
    const { recording_id } = await this.createRecordedCall();
    await this.waitForResult('transcripts', recording_id);
    await this.waitForResult('summaries', recording_id);
    this.peer.clearRequests();
  }

  /** Changes the timeouts of the provider's requests. */
  setTimeouts(timeouts: Partial<AiTimeouts>): void {
    Object.assign(this.test.get(AiTimeouts), timeouts);
  }

  /** Creates a call. @returns its id */
  async createCall(): Promise<string> {
    return (await this.tenant.join(this.link)).call_id;
  }

  /** Creates a call with a recording. */
  async createRecordedCall(content?: Buffer): Promise<{ call_id: string; recording_id: string }> {
    const call_id = await this.createCall();
    return { call_id, recording_id: await addRecording(this.test, this.tenant, call_id, content) };
  }

  transcript = (callId: string, query = '') =>
    this.owner.api.get(`/api/v1/calls/${callId}/transcript${query}`);

  summary = (callId: string, query = '') => this.owner.api.get(`/api/v1/calls/${callId}/summary${query}`);

  retry = (callId: string, query = '') =>
    this.owner.api.post(`/api/v1/calls/${callId}/transcript/retry${query}`);

  /** The transcript or summary row of a recording. */
  async row(table: 'transcripts' | 'summaries', recordingId: string): Promise<Json> {
    const [rows] = await this.test
      .get(Database)
      .readSystem<[Json]>([
        { text: `SELECT * FROM ${table} WHERE recording_id = $1`, values: [recordingId] },
      ]);
    return rows[0];
  }

  /** Enqueues one more job for the recording, as happens after its process is presumed dead. */
  async transcribeAgain(recording: { call_id: string; recording_id: string }): Promise<void> {
    const data = { tenant_id: this.tenant.id, ...recording };
    await this.test
      .get(Database)
      .system((tx) => this.test.get(Jobs).enqueue(tx, 'transcribe-recording', data));
  }

  /** Starts the recording's next attempt immediately. Retry delays have their own tests. */
  private async startRetryNow(recordingId: string): Promise<void> {
    const { rows } = await this.test.db.query<{ name: string }>(
      `UPDATE pgboss.job SET start_after = now()
       WHERE state = 'created' AND data->>'recording_id' = $1 RETURNING name`,
      [recordingId],
    );
    for (const { name } of rows) this.test.get(Jobs)['workers'].wake(name);
  }

  /** Waits until the row is no longer pending. Retries start without delay. @returns the row */
  waitForResult(table: 'transcripts' | 'summaries', recordingId: string): Promise<Json> {
    let row: Json;
    return until(
      async () => {
        await this.startRetryNow(recordingId);
        row = await this.row(table, recordingId);
        return row && row.status !== 'pending' && row;
      },
      () => `${table}: ${JSON.stringify(row)}`,
    );
  }

  /** The types of the domain events about a recording's results, in order. */
  async events(recordingId: string): Promise<string[]> {
    const { rows } = await this.test.db.query(
      `SELECT type FROM domain_events WHERE subject_id = $1 AND type ~ '^(transcript|summary)' ORDER BY id`,
      [recordingId],
    );
    return rows.map(({ type }: { type: string }) => type);
  }
}
