import { DomainEvent } from '../../platform/events/domain-event';

/** The base of events of a call's entry in the line of a department. Only the present state of the line matters. */
abstract class LineEvent extends DomainEvent {
  readonly call_id: string;

  constructor(
    tenantId: string,
    callId: string,
    readonly department_id: string,
    at: Date,
  ) {
    super(tenantId, callId, at.toISOString());
    this.call_id = callId;
  }

  override get isStored() {
    return false;
  }

  override get audited() {
    return 'never' as const;
  }
}

/** A customer who was absent asked for their position, so that their call can be offered again. */
export class CustomerReturned extends LineEvent {
  readonly type = 'call.customer_returned';
}

/** A reservation or a requirement of skills ended, so that more agents can take the call. */
export class LaneChanged extends LineEvent {
  readonly type = 'call.lane_changed';
}
