/** The statuses of a callback and the transitions between them. Pure: no imports, no clock, no database. */

export const CALLBACK_STATUSES = ['requested', 'invited', 'returned', 'expired', 'cancelled'] as const;

export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

/** By which a callback reaches the customer: a mail of the service, or a message that the company sends. */
export const CALLBACK_CHANNELS = ['email', 'webhook'] as const;

export type CallbackChannel = (typeof CALLBACK_CHANNELS)[number];

export type CallbackTrigger =
  /** The customer asks for it. */
  | 'request'
  /** It is the customer's turn. */
  | 'invite'
  /** The customer is back; between two invitations only by opening the link of the first one. */
  | 'return'
  /** The invitation has expired, and another one follows. */
  | 'retry'
  /** The last invitation has expired. */
  | 'expire'
  /** The customer waits on without it, or the call ended. */
  | 'cancel';

interface CallbackRule {
  /** `none`: a call without a callback. */
  from: readonly (CallbackStatus | 'none')[];
  to: CallbackStatus;
}

/** All transitions. A customer who returned, or took a callback back, can request another one. */
export const CALLBACK_TRANSITIONS = {
  request: { from: ['none', 'returned', 'cancelled'], to: 'requested' },
  invite: { from: ['requested'], to: 'invited' },
  return: { from: ['requested', 'invited'], to: 'returned' },
  retry: { from: ['invited'], to: 'requested' },
  expire: { from: ['invited'], to: 'expired' },
  cancel: { from: ['requested', 'invited'], to: 'cancelled' },
} as const satisfies Record<CallbackTrigger, CallbackRule>;

/** @returns the status after the trigger; undefined if the trigger has no effect on a callback of this status */
export function callbackAfter(
  status: CallbackStatus | null,
  trigger: CallbackTrigger,
): CallbackStatus | undefined {
  const rule: CallbackRule = CALLBACK_TRANSITIONS[trigger];
  return rule.from.includes(status ?? 'none') ? rule.to : undefined;
}

/** Whether the customer is away until they are invited and return: then nobody can be given their call. */
export const isAwaited = (status: CallbackStatus | null): status is 'requested' | 'invited' =>
  status === 'requested' || status === 'invited';

/**
 * What follows an invitation that has expired.
 * @param attempts invitations so far @param maxAttempts the department's callback_attempts
 */
export const afterExpiry = (attempts: number, maxAttempts: number): 'retry' | 'expire' =>
  attempts < maxAttempts ? 'retry' : 'expire';
