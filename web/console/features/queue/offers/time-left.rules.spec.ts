import { timeLeft } from './time-left.rules';

const OFFER = { offered_at: '2026-01-31T10:00:00.000Z', expires_at: '2026-01-31T10:00:20.000Z' };
const after = (ms: number) => timeLeft(OFFER, Date.parse(OFFER.offered_at) + ms);

describe('timeLeft', () => {
  it.each([
    ['all of it at the beginning', 0, { seconds: 20, share: 1 }],
    ['a begun second as a whole one', 5_001, { seconds: 15, share: 0.74995 }],
    ['one second until the very end', 19_999, { seconds: 1, share: 0.00005 }],
    ['nothing at the end', 20_000, { seconds: 0, share: 0 }],
    ['nothing, and no negative time, after the end', 25_000, { seconds: 0, share: 0 }],
    ['no more than all of it by a clock that is read once a second', -800, { seconds: 20, share: 1 }],
  ])('is %s', (_name, ms, expected) => {
    expect(after(ms)).toEqual(expected);
  });

  it('has a share although the offer expires as soon as it is made', () => {
    expect(timeLeft({ ...OFFER, expires_at: OFFER.offered_at }, Date.parse(OFFER.offered_at))).toEqual({
      seconds: 0,
      share: 0,
    });
  });
});
