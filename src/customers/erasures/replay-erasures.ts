import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { InstallationPause } from '../../platform/database/installation/installation-pause';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { type ErasureEntry, ErasureJournal } from './erasure-journal';
import { TenantsService } from '../../tenancy/tenants.service';
import { CustomerErasure } from './customer-erasure';
import { ErasureRecords } from './erasure-records';

const RETRY_INTERVAL_MS = 10_000;

/**
 * A restored database has customers and tenants that were erased after the backup. This erases them again by the journal in
 * the storage, before the service answers a request. Several instances may do so at the same time.
 */
@Injectable()
export class ReplayErasures implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Erasures');
  private readonly task: RecurringTask;

  constructor(
    private readonly database: Database,
    private readonly installation: InstallationPause,
    private readonly journal: ErasureJournal,
    private readonly erasure: CustomerErasure,
    private readonly records: ErasureRecords,
    private readonly tenants: TenantsService,
    intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.task = new RecurringTask('Erasures', intervals.of(RETRY_INTERVAL_MS), () => this.retry());
  }

  /** @throws Error if the journal cannot be read: without it erased data would be readable again */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.isWorker || !(await this.installation.state()).awaits_erasures) return;
    try {
      if (await this.replay()) return;
    } catch (error) {
      throw new Error(
        'The database was restored, but the journal of erasures in the storage cannot be read. Check STORAGE_URL.',
        { cause: error },
      );
    }
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async retry(): Promise<void> {
    if (await this.replay()) void this.task.stop();
  }

  /** @returns whether everything could be erased */
  private async replay(): Promise<boolean> {
    let failures = 0;
    for await (const entry of this.journal.entries()) {
      try {
        if (entry.kind === 'tenant') await this.suspendTenant(entry);
        else await this.eraseCustomers(entry);
      } catch (error) {
        // For example a call of the customer that has not ended yet. It ends soon, because nobody is in it.
        this.logger.warn(error, `An erasure of ${entry.erased_at} could not be repeated; it is tried again`);
        failures++;
      }
    }
    if (failures === 0) await this.installation.recordErasures();
    return failures === 0;
  }

  private async eraseCustomers(entry: ErasureEntry): Promise<void> {
    const { tenant_id, subject_ids } = entry;
    await this.database.tenant(tenant_id, async (tx) => {
      const found = await tx.query<{ id: string }>(
        'SELECT id FROM customers WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id',
        [tenant_id, subject_ids],
      );
      for (const { id } of found) await this.erasure.erase(tx, tenant_id, id);
      await this.records.restore(tx, entry);
      if (found.length > 0) this.logger.log(`Erased ${found.length} customers again`);
    });
  }

  /** Deleting a tenant needs the rights of the login, so the command `resume` does that, by the record. */
  private async suspendTenant(entry: ErasureEntry): Promise<void> {
    await this.database.tenant(entry.tenant_id, async (tx) => {
      await this.records.restore(tx, entry);
      await this.tenants.suspend(tx, entry.tenant_id);
    });
  }
}
