import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { AfterCommit } from '../../platform/events/listeners';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { TenantUpdated } from '../../tenancy/tenant.events';
import { OpeningChanges } from '../opening-changes';
import { QueueBroadcast } from './queue-broadcast';

const INTERVAL_MS = 1000;
/** Departments whose queue is sent in one interval: many open at the same hour, and each queue is read. */
const MAX_DEPARTMENTS = 50;

/**
 * Sends staff the queue of a department when it opens or closes. Nothing is read until then: each instance knows the next
 * change of every department that its staff watch.
 */
@Injectable()
export class OpeningBroadcast implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: RecurringTask;

  constructor(
    private readonly changes: OpeningChanges,
    private readonly queues: QueueBroadcast,
    private readonly database: Database,
    private readonly clock: Clock,
    intervals: TaskIntervals,
  ) {
    this.task = new RecurringTask(OpeningBroadcast.name, intervals.of(INTERVAL_MS), () => this.run());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async run(): Promise<void> {
    for (const { tenantId, departmentId } of this.changes.takeDue(this.clock.now(), MAX_DEPARTMENTS))
      this.queues.send(tenantId, departmentId);
  }

  /** Hours without a time zone of their own follow the company's. */
  @AfterCommit(TenantUpdated)
  async onTenantUpdated({ tenant_id, changed }: TenantUpdated): Promise<void> {
    if (!changed.includes('timezone')) return;
    const [departments] = await this.database.readTenant<[{ id: string }]>(tenant_id, [
      {
        text: `SELECT id FROM departments
          WHERE tenant_id = $1 AND opening_hours IS NOT NULL AND opening_hours ->> 'timezone' IS NULL`,
        values: [tenant_id],
      },
    ]);
    for (const { id } of departments) this.queues.summaryChanged(tenant_id, id);
  }
}
