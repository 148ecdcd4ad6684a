import { endedWithCall, invited, requested, returned, withdrawn } from './callback.effects';
import type { CallbackStatus } from './callback.machine';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 31, 12, 0, seconds));
const WAITING = { callback_status: null, wait_deadline: at(300), suspended_wait_deadline: null };
const AWAY = { callback_status: 'requested', wait_deadline: null, suspended_wait_deadline: at(300) } as const;
const ABSENT = { absent_since: at(100), absence_deadline: at(400) };

describe('requested', () => {
  it('suspends the deadlines of the wait and of the absence', () => {
    expect(requested(WAITING)).toEqual({
      callback_status: 'requested',
      callback_invited_until: null,
      wait_deadline: null,
      absence_deadline: null,
      suspended_wait_deadline: at(300),
    });
  });
});

describe('invited', () => {
  it('has a deadline', () => {
    expect(invited(600, at(0))).toEqual({ callback_status: 'invited', callback_invited_until: at(600) });
  });
});

describe('withdrawn', () => {
  it.each([
    ['moves the deadline by the time away', at(40), at(100), at(360)],
    ['never moves it back, if the clocks of instances differ', at(110), at(100), at(300)],
  ])('%s', (_, requestedAt, now, deadline) => {
    const changes = withdrawn(AWAY, requestedAt, ABSENT, now);
    expect(changes).toMatchObject({ callback_status: 'cancelled', wait_deadline: deadline, ...ABSENT });
    expect(changes.suspended_wait_deadline).toBeNull();
  });

  it('keeps a call without a deadline without one', () => {
    const call = { ...AWAY, suspended_wait_deadline: null };
    expect(withdrawn(call, at(0), ABSENT, at(10)).wait_deadline).toBeNull();
  });
});

describe('returned', () => {
  it.each([
    ['begins the maximum wait again', null, 400],
    ['begins it at the start of an appointment whose time has not come', at(1000), 1300],
    ['begins it again if that time has passed', at(50), 400],
  ])('%s', (_, priority_deadline, deadline) => {
    expect(returned({ priority_deadline }, ABSENT, 300, at(100))).toEqual({
      callback_status: 'returned',
      callback_invited_until: null,
      wait_deadline: at(deadline),
      suspended_wait_deadline: null,
      ...ABSENT,
    });
  });
});

describe('endedWithCall', () => {
  it.each<[CallbackStatus | null, boolean, CallbackStatus | null]>([
    [null, false, null],
    ['requested', false, 'cancelled'],
    ['invited', false, 'cancelled'],
    ['invited', true, 'expired'],
    ['returned', false, 'returned'],
    ['cancelled', false, 'cancelled'],
  ])('%s, by the timeout %s: %s', (status, isTimeout, expected) => {
    const changes = { callback_status: expected, callback_invited_until: null };
    expect(endedWithCall({ callback_status: status }, isTimeout)).toEqual(changes);
  });
});
