import { callOfWrapUp } from './wrap-up.rules';

const SINCE = '2026-01-31T10:00:00.000Z';

describe('callOfWrapUp', () => {
  it.each([
    ['the call that ended when the wrap-up began', '2026-01-31T10:00:00.000Z', SINCE, true],
    ['a call that ended just before', '2026-01-31T09:59:58.000Z', SINCE, true],
    ['a call of before', '2026-01-31T09:30:00.000Z', SINCE, false],
    ['a call that has not ended', null, SINCE, false],
    ['a wrap-up of no known beginning', SINCE, null, false],
  ])('%s', (_name, completed_at, since, isFound) => {
    expect(callOfWrapUp([{ completed_at }], since)).toEqual(isFound ? { completed_at } : null);
  });
});
