import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Jobs } from '../../platform/jobs/jobs';

const KEPT_DAYS = 30;
const EVERY_NIGHT = '23 3 * * *';
/** Rows deleted in one transaction: none of them may hold its locks for long. */
const BATCH = 5000;

/** Deletes what deliveries told of, and what came of it, after 30 days. */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('webhooks.old-deliveries', EVERY_NIGHT, () => this.purge(), { expireInSeconds: 900 });
  }

  async purge(): Promise<void> {
    const before = this.clock.in(-KEPT_DAYS * 86_400);
    while ((await this.purgeBatch(before)) === BATCH) {
      // There are more.
    }
  }

  private async purgeBatch(before: Date): Promise<number> {
    const deleted = await this.database.system((tx) =>
      tx.query(
        `DELETE FROM webhook_deliveries WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE inserted_at < $1 ORDER BY inserted_at LIMIT ${BATCH}
           FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [before],
      ),
    );
    return deleted.length;
  }
}
