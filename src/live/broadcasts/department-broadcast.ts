import { Injectable } from '@nestjs/common';
import { DepartmentCreated, DepartmentUpdated } from '../../departments/department.events';
import { AfterCommit } from '../../platform/events/listeners';
import { QueueBroadcast } from './queue-broadcast';

/** What the queue of a department shows of it. */
const SHOWN_FIELDS = ['name', 'opening_hours'];

/** Sends staff the queue of a department that is new, or has a new name or other opening hours. */
@Injectable()
export class DepartmentBroadcast {
  constructor(private readonly queues: QueueBroadcast) {}

  @AfterCommit(DepartmentCreated)
  async onCreated({ tenant_id, subject_id }: DepartmentCreated): Promise<void> {
    this.queues.summaryChanged(tenant_id, subject_id);
  }

  @AfterCommit(DepartmentUpdated)
  async onUpdated({ tenant_id, subject_id, changed }: DepartmentUpdated): Promise<void> {
    if (SHOWN_FIELDS.some((field) => changed.includes(field)))
      this.queues.summaryChanged(tenant_id, subject_id);
  }
}
