import { DomainEvent } from '../platform/events/domain-event';

export class DepartmentCreated extends DomainEvent {
  readonly type = 'department.created';
}

export class DepartmentUpdated extends DomainEvent {
  readonly type = 'department.updated';

  constructor(
    tenantId: string,
    departmentId: string,
    occurredAt: string,
    /** Names of the fields whose value is another now. */
    readonly changed: string[],
  ) {
    super(tenantId, departmentId, occurredAt);
  }

  override get details() {
    return { changed: this.changed };
  }
}

/**
 * Recorded just before the row goes, so that those who hold calls, links and appointments of the
 * department can settle them in the same transaction, or refuse.
 */
export class DepartmentDeleted extends DomainEvent {
  readonly type = 'department.deleted';
}
