import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { STORAGE, type Storage } from '../../platform/storage/storage';
import { Subscriptions } from '../../plans/subscriptions';
import { RecordingReady } from '../recording.events';
import { AiFailure } from './ai-failure';
import { AI_SERVER, type AiServer, type TranscriptResult } from './ai-server';
import { type AiTask, AiTasks, type RecordingRef } from './ai-tasks';
import { type StoredRecording, withSpooledFile } from './spooled-file';
import { TranscriptFailed, TranscriptReady, TranscriptRetried } from './transcript.events';

export const TRANSCRIPTION: AiTask = {
  name: 'transcript',
  table: 'transcripts',
  job: 'transcribe-recording',
  ready: TranscriptReady,
  failed: TranscriptFailed,
  retried: TranscriptRetried,
};

/** Longer than the provider's ten minutes and the copying before them. */
const OPTIONS = { concurrency: 4, expireInSeconds: 1200 };

/** Has recordings turned into text, where a model is set and the plan in force includes it. */
@Injectable()
export class Transcripts implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: Subscriptions,
    private readonly tasks: AiTasks,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STORAGE) private readonly storage: Storage,
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
    if (!this.config.ai?.transcriptionModel) return;
    const plan = await this.subscriptions.planInForce(tx, tenant_id);
    if (!plan.features.includes('transcription')) return;
    await this.tasks.request(tx, TRANSCRIPTION, { tenant_id, recording_id: subject_id, call_id });
  }

  private async transcribe(
    { tenant_id, recording_id }: RecordingRef,
    signal: AbortSignal,
  ): Promise<TranscriptResult> {
    const { ai } = this;
    if (!ai) throw new AiFailure('not_configured');
    const [[recording]] = await this.database.readTenant<[StoredRecording]>(tenant_id, [
      {
        text: 'SELECT id AS recording_id, storage_key, content_type, inserted_at FROM recordings WHERE id = $1',
        values: [recording_id],
      },
    ]);
    if (!recording) throw new AiFailure('recording_missing');
    return withSpooledFile(this.storage, recording, signal, (file) => ai.transcribe(file, signal));
  }
}
