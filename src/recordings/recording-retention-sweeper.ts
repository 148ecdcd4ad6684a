import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CallTransitions } from '../calls/machine/call-transitions';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { customerNotHeld } from '../tenancy/legal-holds';
import { Jobs } from '../platform/jobs/jobs';
import { RecordingsService } from './recordings.service';

/** Recordings older than their tenant's retention period that no legal hold keeps; $1 is now. */
const DUE = `FROM recordings r JOIN tenants t ON t.id = r.tenant_id
  JOIN calls c ON c.tenant_id = r.tenant_id AND c.id = r.call_id
  WHERE ${customerNotHeld('c.tenant_id', 'c.customer_id')} AND r.inserted_at < $1::timestamptz - make_interval(days => t.recording_retention_days)`;

const BATCH_SIZE = 200;

interface DueCall {
  tenant_id: string;
  call_id: string;
}

/** Deletes recordings once their tenant's retention period has passed, every hour. */
@Injectable()
export class RecordingRetentionSweeper implements OnModuleInit {
  private readonly logger = new Logger(RecordingRetentionSweeper.name);

  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly recordings: RecordingsService,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('delete-old-recordings', '23 * * * *', () => this.run());
  }

  /** Runs until nothing is due; a call that fails is retried in an hour. */
  async run(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const due = await this.dueCalls();
      let failedCount = 0;
      for (const call of due) {
        await this.deleteDue(call).catch((error: unknown) => {
          failedCount += 1;
          this.logger.error(error, 'Old recordings of a call could not be deleted');
        });
      }
      hasMore = due.length === BATCH_SIZE && failedCount < BATCH_SIZE;
    }
  }

  private async dueCalls(): Promise<DueCall[]> {
    const [calls] = await this.database.readSystem<[DueCall]>([
      {
        text: `SELECT DISTINCT r.tenant_id, r.call_id ${DUE} ORDER BY r.call_id LIMIT ${BATCH_SIZE}`,
        values: [this.clock.now()],
      },
    ]);
    return calls;
  }

  /** Reads the due recordings again after locking the call: they or the retention period may have changed. */
  private deleteDue({ tenant_id, call_id }: DueCall): Promise<void> {
    return this.database.tenant(tenant_id, async (tx) => {
      await this.transitions.lock(tx, tenant_id, call_id);
      await this.recordings.deleteAll(tx, tenant_id, call_id, await this.dueRecordings(tx, call_id));
    });
  }

  private async dueRecordings(tx: Transaction, callId: string): Promise<string[]> {
    const due = await tx.query<{ id: string }>(
      `SELECT r.id ${DUE} AND r.call_id = $2 ORDER BY r.inserted_at, r.id`,
      [this.clock.now(), callId],
    );
    return due.map(({ id }) => id);
  }
}
