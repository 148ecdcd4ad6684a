import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { AI_CLIENT, type AiClient } from './ai/ai-client';
import { AiError } from './ai/ai-error';
import { GenerationPolicy } from './generation-policy';
import { GenerationRequests } from './generation-requests';
import { GenerationRunner } from './generation-runner';
import type { GenerationTask, RecordingRef } from './generation-task';
import { summaryPrompt } from './summary-prompt';
import { SummaryFailed, SummaryReady, SummaryRetried, TranscriptReady } from './transcript.events';

export const SUMMARY: GenerationTask = {
  name: 'summary',
  table: 'summaries',
  feature: 'ai_summaries',
  job: 'summarise-transcript',
  ready: SummaryReady,
  failed: SummaryFailed,
  retried: SummaryRetried,
};

/** Longer than the AI server's two minutes. */
const JOB_OPTIONS = { concurrency: 4, expireInSeconds: 180, isOutbound: true };

/** Summarises transcripts if a model is configured and the tenant's plan includes it. */
@Injectable()
export class SummaryGenerator implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly policy: GenerationPolicy,
    private readonly requests: GenerationRequests,
    private readonly runner: GenerationRunner,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(AI_CLIENT) private readonly ai: AiClient | undefined,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<RecordingRef>(
      SUMMARY.job,
      (ref, signal) => this.runner.run(SUMMARY, ref, signal, () => this.generate(ref, signal)),
      JOB_OPTIONS,
    );
  }

  @InTransaction(TranscriptReady)
  async request({ tenant_id, subject_id, call_id }: TranscriptReady, tx: Transaction): Promise<void> {
    const ref = { tenant_id, recording_id: subject_id, call_id };
    if (await this.isWanted(tx, ref)) await this.requests.request(tx, SUMMARY, ref);
  }

  /** @returns whether a summary should be generated if there is none: never for an empty transcript */
  async isWanted(tx: Transaction, { tenant_id, recording_id }: RecordingRef): Promise<boolean> {
    if (!this.config.ai?.summaryModel) return false;
    if (!(await this.policy.isAllowed(tx, tenant_id, SUMMARY.feature))) return false;
    const spoken = await tx.query(
      `SELECT FROM transcripts WHERE recording_id = $1 AND status = 'ready' AND transcript <> ''`,
      [recording_id],
    );
    return spoken.length > 0;
  }

  private async generate({ tenant_id, recording_id }: RecordingRef, signal: AbortSignal) {
    if (!this.ai) throw new AiError('not_configured');
    const [[call]] = await this.database.readTenant<[{ transcript: string; language: string }]>(tenant_id, [
      {
        text: `SELECT r.transcript, t.language FROM transcripts r JOIN tenants t ON t.id = r.tenant_id
          WHERE r.recording_id = $1 AND r.status = 'ready'`,
        values: [recording_id],
      },
    ]);
    if (!call) throw new AiError('recording_missing');
    const prompt = summaryPrompt(call.language);
    const { text: summary, provider, model } = await this.ai.complete(prompt, call.transcript, signal);
    return { summary, provider, model };
  }
}
