import { DomainEvent } from '../platform/events/domain-event';

/** Settings of a tenant (subject) have another value now. */
export class TenantUpdated extends DomainEvent {
  readonly type = 'tenant.updated';

  constructor(
    tenantId: string,
    occurredAt: string,
    /** Names of those settings. */
    readonly changed: string[],
  ) {
    super(tenantId, tenantId, occurredAt);
  }

  override get details() {
    return { changed: this.changed };
  }
}
