import { DomainEvent } from '../../platform/events/domain-event';

export const ALERT_KINDS = ['longest_wait', 'nobody_available'] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** In the queue of a department (subject), a call has waited too long, or calls wait and no agent can be reached. */
export class QueueAlert extends DomainEvent {
  readonly type = 'queue.alert';

  constructor(
    tenantId: string,
    readonly department_id: string,
    readonly kind: AlertKind,
    /** When the episode began, ISO 8601. */
    readonly since: string,
    at: Date,
  ) {
    super(tenantId, department_id, at.toISOString());
  }

  override get audited() {
    return 'never' as const;
  }
}
