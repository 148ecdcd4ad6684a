import { DomainEvent } from '../platform/events/domain-event';
import type { Call } from './call.entity';
import type { CallStatus, EndReason, FinalStatus } from './machine/call.machine';
import { toldWaitError } from './told-wait';

/** The two sides of a call. */
export type Participant = 'customer' | 'agent';

/** The base of all events about a call (subject_id). */
export abstract class CallEvent extends DomainEvent {
  readonly call_id: string;
  readonly version: number;
  readonly status: CallStatus;
  readonly department_id: string | null;
  readonly user_id: string | null;
  /** The department to which the call overflowed; most calls have none, so it is left out then. */
  readonly overflow_department_id?: string;

  constructor(call: Call, at: Date) {
    super(call.tenant_id, call.id, at.toISOString());
    this.call_id = call.id;
    this.version = call.version;
    this.status = call.status;
    this.department_id = call.department_id;
    this.user_id = call.user_id;
    if (call.overflow_department_id) this.overflow_department_id = call.overflow_department_id;
  }

  /** The departments in whose lines the call stands while it waits. */
  get lines(): string[] {
    return [this.department_id, this.overflow_department_id].filter((id) => typeof id === 'string');
  }
}

export class CallQueued extends CallEvent {
  readonly type = 'call.queued';
}

export class CallAssigned extends CallEvent {
  readonly type = 'call.assigned';
  readonly user_name: string | null;
  /** The previous agent, if the call was handed over. */
  readonly previous_user_id: string | null;
  readonly #avatarUrl: string | null;

  constructor(call: Call, at: Date, previousUserId: string | null, avatarUrl: string | null = null) {
    super(call, at);
    this.user_name = call.user_name;
    this.previous_user_id = previousUserId;
    this.#avatarUrl = avatarUrl;
  }

  /** As stored with the agent: see picture-url.ts. Not stored with the event, because photos are replaced. */
  get avatarUrl(): string | null {
    return this.#avatarUrl;
  }

  override get details() {
    return { user_id: this.user_id, previous_user_id: this.previous_user_id };
  }
}

/** An assigned call returned to its place in the queue. */
export class CallRequeued extends CallEvent {
  readonly type = 'call.requeued';
  readonly unanswered_count: number;

  constructor(
    call: Call,
    at: Date,
    /** The agent whom the call was assigned to. */
    readonly previous_user_id: string | null,
  ) {
    super(call, at);
    this.unanswered_count = call.unanswered_count;
  }

  override get details() {
    return { previous_user_id: this.previous_user_id };
  }
}

/** Where a transferred call was before. */
interface TransferOrigin {
  department_id: string | null;
  user_id: string | null;
}

/**
 * An active call was transferred: to another department, in whose line it waits again, or to another agent, with whom it
 * stays active. Then `status` is active and `user_id` is the new agent.
 */
export class CallTransferred extends CallEvent {
  readonly type = 'call.transferred';
  readonly department_name: string;
  readonly user_name: string | null;
  readonly previous_department_id: string | null;
  readonly previous_user_id: string | null;
  readonly #note: string | null;
  readonly #avatarUrl: string | null;

  constructor(
    call: Call,
    at: Date,
    previous: TransferOrigin,
    note: string | null = null,
    avatarUrl: string | null = null,
  ) {
    super(call, at);
    this.#note = note;
    this.#avatarUrl = avatarUrl;
    this.department_name = call.department_name;
    this.user_name = call.user_name;
    this.previous_department_id = previous.department_id;
    this.previous_user_id = previous.user_id;
  }

  /** What the agent said about the call. Not stored with the event: the erasure of personal data does not change events. */
  get note(): string | null {
    return this.#note;
  }

  /** Of the new agent, as that of CallAssigned. */
  get avatarUrl(): string | null {
    return this.#avatarUrl;
  }

  override get details() {
    const { department_id, user_id, previous_department_id, previous_user_id } = this;
    return { department_id, user_id, previous_department_id, previous_user_id };
  }
}

export class CallStarted extends CallEvent {
  readonly type = 'call.started';
  /** The first start of the call, which a transferred call keeps; ISO 8601. */
  readonly started_at: string;
  readonly #estimateError: number | null;

  constructor(call: Call, at: Date) {
    super(call, at);
    this.started_at = (call.started_at ?? at).toISOString();
    const isFirst = this.started_at === this.occurred_at && call.wait_time !== null;
    this.#estimateError = isFirst ? toldWaitError(call) : null;
  }

  /**
   * Seconds between the estimate that the customer was shown at the join and the wait; null without one, and for a further
   * start. Not stored with the event.
   */
  get estimateError(): number | null {
    return this.#estimateError;
  }

  override get details() {
    return { user_id: this.user_id };
  }
}

/** A call reached a final state, which `type` names: call.completed, missed, cancelled or abandoned. */
export class CallEnded extends CallEvent {
  readonly type: `call.${FinalStatus}`;
  readonly end_reason: EndReason | null;

  constructor(call: Call, status: FinalStatus, at: Date) {
    super(call, at);
    this.type = `call.${status}`;
    this.end_reason = call.end_reason;
  }

  override get details() {
    return { end_reason: this.end_reason };
  }
}

export class CallRated extends CallEvent {
  readonly type = 'call.rated';
  readonly rating: number | null;

  constructor(
    call: Call,
    at: Date,
    /** What showed that the customer rates: their websocket_token, or the address that they joined from. */
    readonly rated_by: 'token' | 'address',
  ) {
    super(call, at);
    this.rating = call.rating;
  }
}

/** Fields of a call, or rows that belong to it, changed without a state transition. */
export class CallUpdated extends CallEvent {
  readonly type = 'call.updated';

  constructor(
    call: Call,
    at: Date,
    /** Names of the changed fields. */
    readonly changed: string[],
  ) {
    super(call, at);
  }

  override get details() {
    return { changed: this.changed };
  }
}

/** A call left the line of the department to which it had overflowed, and waits on in its own. */
export class CallOverflowEnded extends CallUpdated {
  constructor(
    call: Call,
    at: Date,
    readonly previous_overflow_department_id: string,
  ) {
    super(call, at, ['overflow_department_id']);
  }

  /** It follows from a change of that department. */
  override get audited() {
    return 'never' as const;
  }
}
