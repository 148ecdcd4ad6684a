import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { InTransaction } from '../../platform/events/listeners';
import { Jobs } from '../../platform/jobs/jobs';
import { AiFailure } from './ai/ai-failure';
import { AiPermission } from './ai/ai-permission';
import { AiRequests } from './ai/ai-requests';
import { AI_SERVER, type AiServer, type SummaryResult } from './ai/ai-server';
import type { AiTask, RecordingRef } from './ai/ai-task';
import { AiTasks } from './ai/ai-tasks';
import { SummaryFailed, SummaryReady, SummaryRetried, TranscriptReady } from './transcript.events';

export const SUMMARY: AiTask = {
  name: 'summary',
  table: 'summaries',
  feature: 'ai_summaries',
  job: 'summarise-transcript',
  ready: SummaryReady,
  failed: SummaryFailed,
  retried: SummaryRetried,
};

/** Longer than the provider's two minutes. */
const OPTIONS = { concurrency: 4, expireInSeconds: 180 };

/** Has transcripts summed up, where a model is set and the plan in force includes it. */
@Injectable()
export class Summaries implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly permission: AiPermission,
    private readonly requests: AiRequests,
    private readonly tasks: AiTasks,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(AI_SERVER) private readonly ai: AiServer | undefined,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<RecordingRef>(
      SUMMARY.job,
      (ref, signal) => this.tasks.run(SUMMARY, ref, signal, () => this.summarise(ref, signal)),
      OPTIONS,
    );
  }

  @InTransaction(TranscriptReady)
  async request({ tenant_id, subject_id, call_id }: TranscriptReady, tx: Transaction): Promise<void> {
    const ref = { tenant_id, recording_id: subject_id, call_id };
    if (await this.isWanted(tx, ref)) await this.requests.request(tx, SUMMARY, ref);
  }

  /**
   * Whether a summary would be made of a transcript that has none. A recording on which nobody speaks has nothing
   * to sum up.
   */
  async isWanted(tx: Transaction, { tenant_id, recording_id }: RecordingRef): Promise<boolean> {
    if (!this.config.ai?.summaryModel) return false;
    if (!(await this.permission.has(tx, tenant_id, SUMMARY.feature))) return false;
    const spoken = await tx.query(
      `SELECT FROM transcripts WHERE recording_id = $1 AND status = 'ready' AND transcript <> ''`,
      [recording_id],
    );
    return spoken.length > 0;
  }

  private async summarise(
    { tenant_id, recording_id }: RecordingRef,
    signal: AbortSignal,
  ): Promise<SummaryResult> {
    if (!this.ai) throw new AiFailure('not_configured');
    const [[call]] = await this.database.readTenant<[{ transcript: string; language: string }]>(tenant_id, [
      {
        text: `SELECT r.transcript, t.language FROM transcripts r JOIN tenants t ON t.id = r.tenant_id
          WHERE r.recording_id = $1 AND r.status = 'ready'`,
        values: [recording_id],
      },
    ]);
    if (!call) throw new AiFailure('recording_missing');
    return this.ai.summarise(call.transcript, call.language, signal);
  }
}
