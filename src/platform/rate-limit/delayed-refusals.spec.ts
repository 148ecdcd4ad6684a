import { DelayedRefusals } from './delayed-refusals';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('DelayedRefusals', () => {
  it('refuses four seconds later', () => {
    const refuse = jest.fn();
    new DelayedRefusals(4000).add(refuse);
    jest.advanceTimersByTime(3999);
    expect(refuse).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(refuse).toHaveBeenCalledTimes(1);
  });

  it('lets at most a thousand wait, and others again when these are refused', () => {
    const refusals = new DelayedRefusals(4000);
    const refuse = jest.fn();
    for (let count = 0; count < 1001; count++) refusals.add(refuse);
    expect(refuse).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(4000);
    expect(refuse).toHaveBeenCalledTimes(1001);
    refusals.add(refuse);
    expect(refuse).toHaveBeenCalledTimes(1001);
  });
});
