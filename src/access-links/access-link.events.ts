import { DomainEvent } from '../platform/events/domain-event';

export class AccessLinkCreated extends DomainEvent {
  readonly type = 'access_link.created';

  constructor(
    tenantId: string,
    linkId: string,
    occurredAt: string,
    readonly department_id: string,
    readonly customer_id: string | null,
  ) {
    super(tenantId, linkId, occurredAt);
  }

  override get details() {
    return { department_id: this.department_id, customer_id: this.customer_id };
  }
}

export class AccessLinkCancelled extends DomainEvent {
  readonly type = 'access_link.cancelled';
}
