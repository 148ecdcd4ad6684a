import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { RecordingReady } from '../recording.events';
import { dayOf } from '../../platform/clock/time-zone';
import { recordingFilename } from '../recording-filename';
import { AI_CLIENT, type AiClient } from './ai/ai-client';
import { AiError } from './ai/ai-error';
import { FileSpooler } from './ai/file-spooler';
import { GenerationPolicy } from './generation-policy';
import { GenerationRequests } from './generation-requests';
import { GenerationRunner } from './generation-runner';
import type { GenerationTask, RecordingRef } from './generation-task';
import { TranscriptFailed, TranscriptReady, TranscriptRetried } from './transcript.events';

export const TRANSCRIPT: GenerationTask = {
  name: 'transcript',
  table: 'transcripts',
  feature: 'transcription',
  job: 'transcribe-recording',
  ready: TranscriptReady,
  failed: TranscriptFailed,
  retried: TranscriptRetried,
};

/** Longer than copying the recording and the AI server's ten minutes. */
const JOB_OPTIONS = { concurrency: 4, expireInSeconds: 1200, isOutbound: true };

interface StoredRecording {
  storage_key: string;
  content_type: string;
  /** ISO 8601 */
  inserted_at: string;
}

/** Transcribes recordings if a model is configured and the tenant's plan includes it. */
@Injectable()
export class TranscriptGenerator implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly policy: GenerationPolicy,
    private readonly requests: GenerationRequests,
    private readonly runner: GenerationRunner,
    private readonly jobs: Jobs,
    private readonly spooler: FileSpooler,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(AI_CLIENT) private readonly ai: AiClient | undefined,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<RecordingRef>(
      TRANSCRIPT.job,
      (ref, signal) => this.runner.run(TRANSCRIPT, ref, signal, () => this.generate(ref, signal)),
      JOB_OPTIONS,
    );
  }

  @InTransaction(RecordingReady)
  async request({ tenant_id, subject_id, call_id }: RecordingReady, tx: Transaction): Promise<void> {
    const ref = { tenant_id, recording_id: subject_id, call_id };
    if (await this.isWanted(tx, ref)) await this.requests.request(tx, TRANSCRIPT, ref);
  }

  /** @returns whether a transcript should be generated if the recording has none */
  async isWanted(tx: Transaction, { tenant_id }: RecordingRef): Promise<boolean> {
    if (!this.config.ai?.transcriptionModel) return false;
    return this.policy.isAllowed(tx, tenant_id, TRANSCRIPT.feature);
  }

  private async generate({ tenant_id, recording_id }: RecordingRef, signal: AbortSignal) {
    const { ai } = this;
    if (!ai) throw new AiError('not_configured');
    const [[recording]] = await this.database.readTenant<[StoredRecording]>(tenant_id, [
      {
        text: 'SELECT storage_key, content_type, inserted_at FROM recordings WHERE id = $1',
        values: [recording_id],
      },
    ]);
    if (!recording) throw new AiError('recording_missing');
    const { inserted_at, ...object } = recording;
    const filename = recordingFilename(object.content_type, dayOf(new Date(inserted_at), 'UTC'));
    return this.spooler.withCopy({ ...object, filename }, signal, async (file) => {
      const { text: transcript, language, provider, model } = await ai.transcribe(file, signal);
      return { transcript, language, provider, model };
    });
  }
}
