import type { Call } from '../call.entity';
import { CallEvent } from '../call.events';
import type { CallbackStatus } from './callback.machine';

/** The callback of a call changed; `type` names its status, which is requested again after each missed invitation. */
export class CallbackChanged extends CallEvent {
  readonly type: `call.callback_${CallbackStatus}`;
  /** ISO 8601; null unless the customer is invited. */
  readonly invited_until: string | null;

  constructor(
    call: Call,
    at: Date,
    readonly callback_status: CallbackStatus,
    /** Invitations so far; null if the call ended. */
    readonly attempts: number | null,
  ) {
    super(call, at);
    this.type = `call.callback_${callback_status}`;
    this.invited_until = call.callback_invited_until?.toISOString() ?? null;
  }

  /** The customer or a deadline changes it, or it follows from another change of the call. */
  override get audited() {
    return 'never' as const;
  }
}

/** It is the customer's turn, and the company is to inform them. */
export class CallbackDue extends CallEvent {
  readonly type = 'callback.due';
  readonly #resumeUrl: string;

  constructor(call: Call, at: Date, resumeUrl: string) {
    super(call, at);
    this.#resumeUrl = resumeUrl;
  }

  override get subject_type() {
    return 'call';
  }

  /** A credential, so it is not stored with the event. */
  get resume_url(): string {
    return this.#resumeUrl;
  }

  override get audited() {
    return 'never' as const;
  }
}

/** The customer opened the resume link on a device, which has the call from now on. */
export class CustomerDeviceChanged extends CallEvent {
  readonly type = 'call.customer_device_changed';
  readonly device: number;

  constructor(call: Call, at: Date) {
    super(call, at);
    this.device = call.customer_device;
  }

  /** Only the current state is of interest. */
  override get isStored() {
    return false;
  }

  override get audited() {
    return 'never' as const;
  }
}
