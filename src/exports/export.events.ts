import { DomainEvent } from '../platform/events/domain-event';

/** What an export holds. */
export type ExportKind = 'calls' | 'customers' | 'links';

/** Somebody was given a copy of all rows of a kind that the filters let through. The subject is the tenant. */
export class DataExported extends DomainEvent {
  readonly type = 'tenant.data_exported';

  constructor(
    tenantId: string,
    occurredAt: string,
    readonly kind: ExportKind,
    /** Names of the filters; what they were set to may name a person. */
    readonly filters: string[],
  ) {
    super(tenantId, tenantId, occurredAt);
  }

  override get details() {
    return { kind: this.kind, filters: this.filters };
  }
}
