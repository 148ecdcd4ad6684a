import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class DepartmentCreated extends DomainEvent {
  readonly type = 'department.created';
}

export class DepartmentUpdated extends RecordUpdated {
  readonly type = 'department.updated';
}

/**
 * Recorded just before the row goes, so that those who hold calls, links and appointments of the
 * department can settle them in the same transaction, or refuse.
 */
export class DepartmentDeleted extends DomainEvent {
  readonly type = 'department.deleted';
}
