import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class DepartmentCreated extends DomainEvent {
  readonly type = 'department.created';
}

export class DepartmentUpdated extends RecordUpdated {
  readonly type = 'department.updated';
}

/**
 * Recorded just before the row is deleted, so that listeners can settle the department's calls, links and appointments
 * in the same transaction, or throw to prevent the deletion.
 */
export class DepartmentDeleted extends DomainEvent {
  readonly type = 'department.deleted';
}
