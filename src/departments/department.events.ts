import { DomainEvent } from '../platform/events/domain-event';
import { RecordUpdated } from '../platform/events/record-updated';

export class DepartmentCreated extends DomainEvent {
  readonly type = 'department.created';
}

export class DepartmentUpdated extends RecordUpdated {
  readonly type = 'department.updated';
}

/** A department that ends its waiting calls at closing closes soon. */
export class DepartmentClosing extends DomainEvent {
  readonly type = 'department.closing';
  /** ISO 8601. */
  readonly closes_at: string;

  constructor(tenantId: string, departmentId: string, occurredAt: string, closesAt: Date) {
    super(tenantId, departmentId, occurredAt);
    this.closes_at = closesAt.toISOString();
  }

  /** The clock is not a member of staff. */
  override get audited() {
    return 'never' as const;
  }
}

/**
 * Recorded just before the row is deleted, so that listeners can throw to prevent the deletion. It stands for the links that end
 * with the department: they have no event each.
 */
export class DepartmentDeleted extends DomainEvent {
  readonly type = 'department.deleted';
}
