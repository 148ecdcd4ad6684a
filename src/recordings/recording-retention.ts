import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CallTransitions } from '../calls/machine/call-transitions';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { Jobs } from '../platform/jobs/jobs';
import { RecordingsService } from './recordings.service';

/** Of tenants that keep recordings for so many days, those that are older; $1 is now. */
const DUE = `FROM recordings r JOIN tenants t ON t.id = r.tenant_id
  WHERE r.inserted_at < $1::timestamptz - make_interval(days => t.recording_retention_days)`;

const BATCH = 200;

interface DueCall {
  tenant_id: string;
  call_id: string;
}

/** Deletes recordings that their tenants do not want to keep any longer. */
@Injectable()
export class RecordingRetention implements OnModuleInit {
  private readonly logger = new Logger(RecordingRetention.name);

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

  /** Goes on while there is more; what could not be deleted now is due again in an hour. */
  async run(): Promise<void> {
    for (let goOn = true; goOn;) {
      const due = await this.dueCalls();
      let failed = 0;
      for (const call of due) {
        await this.settle(call).catch((error: unknown) => {
          failed += 1;
          this.logger.error(error, 'Old recordings of a call were not deleted');
        });
      }
      goOn = due.length === BATCH && failed < BATCH;
    }
  }

  private async dueCalls(): Promise<DueCall[]> {
    const [calls] = await this.database.readSystem<[DueCall]>([
      {
        text: `SELECT DISTINCT r.tenant_id, r.call_id ${DUE} ORDER BY r.call_id LIMIT ${BATCH}`,
        values: [this.clock.now()],
      },
    ]);
    return calls;
  }

  /** Asked again behind the call's lock: meanwhile they may be gone, or are to be kept after all. */
  private settle({ tenant_id, call_id }: DueCall): Promise<void> {
    return this.database.tenant(tenant_id, async (tx) => {
      await this.transitions.lock(tx, tenant_id, call_id);
      for (const id of await this.dueRecordings(tx, call_id)) {
        await this.recordings.delete(tx, tenant_id, call_id, id);
      }
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
