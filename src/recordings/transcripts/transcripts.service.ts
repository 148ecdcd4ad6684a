import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { RecordingReady } from '../recording.events';
import { AiFailure } from './ai/ai-failure';
import { AiPermission } from './ai/ai-permission';
import { AiRequests } from './ai/ai-requests';
import { AI_SERVER, type AiServer, type TranscriptResult } from './ai/ai-server';
import type { AiTask, RecordingRef } from './ai/ai-task';
import { AiTasks } from './ai/ai-tasks';
import { SpooledFiles, type StoredRecording } from './ai/spooled-files';
import { TranscriptFailed, TranscriptReady, TranscriptRetried } from './transcript.events';

export const TRANSCRIPTION: AiTask = {
  name: 'transcript',
  table: 'transcripts',
  feature: 'transcription',
  job: 'transcribe-recording',
  ready: TranscriptReady,
  failed: TranscriptFailed,
  retried: TranscriptRetried,
};

/** Longer than the provider's ten minutes and the copying before them. */
const OPTIONS = { concurrency: 4, expireInSeconds: 1200 };

/** Has recordings turned into text, where a model is set and the plan in force includes it. */
@Injectable()
export class TranscriptsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly permission: AiPermission,
    private readonly requests: AiRequests,
    private readonly tasks: AiTasks,
    private readonly jobs: Jobs,
    private readonly files: SpooledFiles,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(AI_SERVER) private readonly ai: AiServer | undefined,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<RecordingRef>(
      TRANSCRIPTION.job,
      (ref, signal) => this.tasks.run(TRANSCRIPTION, ref, signal, () => this.transcribe(ref, signal)),
      OPTIONS,
    );
  }

  @InTransaction(RecordingReady)
  async request({ tenant_id, subject_id, call_id }: RecordingReady, tx: Transaction): Promise<void> {
    const ref = { tenant_id, recording_id: subject_id, call_id };
    if (await this.isWanted(tx, ref)) await this.requests.request(tx, TRANSCRIPTION, ref);
  }

  /** Whether a transcript would be made of a recording that has none. */
  async isWanted(tx: Transaction, { tenant_id }: RecordingRef): Promise<boolean> {
    if (!this.config.ai?.transcriptionModel) return false;
    return this.permission.has(tx, tenant_id, TRANSCRIPTION.feature);
  }

  private async transcribe(
    { tenant_id, recording_id }: RecordingRef,
    signal: AbortSignal,
  ): Promise<TranscriptResult> {
    const { ai } = this;
    if (!ai) throw new AiFailure('not_configured');
    const [[recording]] = await this.database.readTenant<[StoredRecording]>(tenant_id, [
      {
        text: 'SELECT storage_key, content_type, inserted_at FROM recordings WHERE id = $1',
        values: [recording_id],
      },
    ]);
    if (!recording) throw new AiFailure('recording_missing');
    return this.files.with(recording, signal, (file) => ai.transcribe(file, signal));
  }
}
