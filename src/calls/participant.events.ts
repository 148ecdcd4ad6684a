import type { Call } from './call.entity';
import { CallEvent, type Participant } from './call.events';

/** The agent connected another socket to the call. */
export class AgentJoined extends CallEvent {
  readonly type = 'call.agent_joined';

  override get details() {
    return { user_id: this.user_id };
  }
}

/** A waiting customer connected, was disconnected or asked for their position, which changes `absent_since`. */
export class CustomerPresenceChanged extends CallEvent {
  readonly type = 'call.customer_presence_changed';

  /** Customers without a socket cause one every few seconds, and only the current state is of interest. */
  override get isStored() {
    return false;
  }

  /** A connection is not an action of staff. */
  override get audited() {
    return 'never' as const;
  }
}

/** One of the customer's pages took the call over from the others. */
export class CallHolderChanged extends CallEvent {
  readonly type = 'call.holder_changed';

  constructor(
    call: Call,
    at: Date,
    /** Of the page that holds the call now. */
    readonly session: string,
  ) {
    super(call, at);
  }

  /** Only the current state is of interest. */
  override get isStored() {
    return false;
  }

  override get audited() {
    return 'never' as const;
  }
}

export class PeerDisconnected extends CallEvent {
  readonly type = 'call.peer_disconnected';

  /** A lost connection is not an action of staff, even if it is detected while one of their requests is handled. */
  override get audited() {
    return 'never' as const;
  }

  constructor(
    call: Call,
    at: Date,
    readonly participant: Participant,
    readonly deadline: string,
    readonly grace_seconds: number,
  ) {
    super(call, at);
  }
}

export class PeerReconnected extends CallEvent {
  readonly type = 'call.peer_reconnected';

  override get audited() {
    return 'never' as const;
  }

  constructor(
    call: Call,
    at: Date,
    readonly participant: Participant,
  ) {
    super(call, at);
  }
}
