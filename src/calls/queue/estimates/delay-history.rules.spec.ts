import { type DelayHistory, lastWait, meanWait, withWait } from './delay-history.rules';

describe('the delay history', () => {
  it('knows nothing of a department without answered calls', () => {
    expect([lastWait([]), meanWait([])]).toEqual([null, null]);
  });

  it('has the wait of the last customer, and the mean of the last ten', () => {
    const waits = [9000, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    const history = waits.reduce<DelayHistory>(withWait, []);
    expect(history).toHaveLength(10);
    expect(lastWait(history)).toBe(100);
    expect(meanWait(history)).toBe(55);
  });

  it('has the mean of fewer than ten', () => {
    expect(meanWait(withWait([30], 60))).toBe(45);
  });
});
