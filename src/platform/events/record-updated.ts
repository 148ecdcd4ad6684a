import { isDeepStrictEqual } from 'node:util';
import { DomainEvent } from './domain-event';

/** Fields of a record (subject) have changed. */
export abstract class RecordUpdated extends DomainEvent {
  constructor(
    tenantId: string,
    subjectId: string,
    occurredAt: string,
    /** Names of the changed fields. */
    readonly changed: string[],
  ) {
    super(tenantId, subjectId, occurredAt);
  }

  override get details() {
    return { changed: this.changed };
  }
}

/** Names of the fields whose value in `changes` differs from `before`. Undefined values are ignored. */
export function changedFields<Row extends object>(before: Row, changes: Partial<Row>): string[] {
  return Object.entries(changes)
    .filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Row]))
    .map(([name]) => name);
}
