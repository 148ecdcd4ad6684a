import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Jobs } from '../../platform/jobs/jobs';

const RETENTION_DAYS = 30;
const NIGHTLY = '23 3 * * *';
/** Rows deleted in one transaction, which holds their locks only briefly. */
const BATCH_SIZE = 5000;

/** Deletes deliveries, with their attempts, after 30 days. */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('webhooks.old-deliveries', NIGHTLY, () => this.purge(), { expireInSeconds: 900 });
  }

  async purge(): Promise<void> {
    const before = this.clock.in(-RETENTION_DAYS * 86_400);
    let deleted: number;
    do {
      deleted = await this.purgeBatch(before);
    } while (deleted === BATCH_SIZE);
  }

  private async purgeBatch(before: Date): Promise<number> {
    const deleted = await this.database.system((tx) =>
      tx.query(
        `DELETE FROM webhook_deliveries WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE inserted_at < $1 ORDER BY inserted_at LIMIT ${BATCH_SIZE}
           FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [before],
      ),
    );
    return deleted.length;
  }
}
