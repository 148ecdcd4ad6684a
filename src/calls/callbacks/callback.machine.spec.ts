import {
  afterExpiry,
  callbackAfter,
  CALLBACK_STATUSES,
  CALLBACK_TRANSITIONS,
  type CallbackStatus,
  type CallbackTrigger,
  isAwaited,
} from './callback.machine';

const TRIGGERS = Object.keys(CALLBACK_TRANSITIONS) as CallbackTrigger[];

/** The status after each trigger; `-` if it has no effect. */
const TABLE: Record<CallbackStatus | 'none', Record<CallbackTrigger, CallbackStatus | '-'>> = {
  none: { request: 'requested', invite: '-', return: '-', retry: '-', expire: '-', cancel: '-' },
  requested: {
    request: '-',
    invite: 'invited',
    return: 'returned',
    retry: '-',
    expire: '-',
    cancel: 'cancelled',
  },
  invited: {
    request: '-',
    invite: '-',
    return: 'returned',
    retry: 'requested',
    expire: 'expired',
    cancel: 'cancelled',
  },
  returned: { request: 'requested', invite: '-', return: '-', retry: '-', expire: '-', cancel: '-' },
  expired: { request: '-', invite: '-', return: '-', retry: '-', expire: '-', cancel: '-' },
  cancelled: { request: 'requested', invite: '-', return: '-', retry: '-', expire: '-', cancel: '-' },
};

const CASES = (['none', ...CALLBACK_STATUSES] as const).flatMap((status) =>
  TRIGGERS.map((trigger) => [status, trigger, TABLE[status][trigger]] as const),
);

describe('callbackAfter', () => {
  it.each(CASES)('%s, %s: %s', (status, trigger, expected) => {
    const before = status === 'none' ? null : status;
    expect(callbackAfter(before, trigger) ?? '-').toBe(expected);
  });
});

describe('isAwaited', () => {
  it.each([
    [null, false],
    ['requested', true],
    ['invited', true],
    ['returned', false],
    ['expired', false],
    ['cancelled', false],
  ] as const)('%s: %s', (status, expected) => {
    expect(isAwaited(status)).toBe(expected);
  });
});

describe('afterExpiry', () => {
  it.each([
    [1, 2, 'retry'],
    [2, 2, 'expire'],
    [1, 1, 'expire'],
    // The department was changed to fewer attempts meanwhile.
    [3, 2, 'expire'],
    [4, 5, 'retry'],
  ] as const)('attempt %s of %s: %s', (attempts, max, expected) => {
    expect(afterExpiry(attempts, max)).toBe(expected);
  });
});
