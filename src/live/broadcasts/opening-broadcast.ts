import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { AfterCommit } from '../../platform/events/listeners';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
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
    const due = this.changes.takeDue(this.clock.now(), MAX_DEPARTMENTS);
    if (due.length === 0) return;
    try {
      const existing = await this.existing(due.map(({ departmentId }) => departmentId));
      for (const { tenantId, departmentId } of due)
        if (existing.has(departmentId)) this.queues.send(tenantId, departmentId);
    } catch (error) {
      for (const { tenantId, departmentId, at } of due) this.changes.expect(tenantId, departmentId, at);
      throw error;
    }
  }

  /** Staff must not be sent the queue of a department that was deleted meanwhile. */
  private async existing(ids: string[]): Promise<Set<string>> {
    const [found] = await runAsReservedBackgroundWork(() =>
      this.database.readSystem<[{ id: string }]>([
        { text: 'SELECT id FROM departments WHERE id = ANY ($1)', values: [ids] },
      ]),
    );
    return new Set(found.map(({ id }) => id));
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
