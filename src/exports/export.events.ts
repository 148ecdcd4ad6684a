import { DomainEvent } from '../platform/events/domain-event';

/** What an export contains. */
export type ExportKind = 'calls' | 'customers' | 'links';

/** A user exported all rows of a kind that match the filters. The subject is the tenant. */
export class DataExported extends DomainEvent {
  readonly type = 'tenant.data_exported';

  constructor(
    tenantId: string,
    occurredAt: string,
    readonly kind: ExportKind,
    /** The names of the filters. Their values are left out, because they may name a person. */
    readonly filters: string[],
  ) {
    super(tenantId, tenantId, occurredAt);
  }

  override get details() {
    return { kind: this.kind, filters: this.filters };
  }
}
