import { DelayedRefusals } from './delayed-refusals';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('DelayedRefusals', () => {
  it('refuses a connection four seconds later', () => {
    const refuse = jest.fn();
    new DelayedRefusals().add(refuse);
    jest.advanceTimersByTime(3999);
    expect(refuse).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(refuse).toHaveBeenCalledTimes(1);
  });

  it('keeps at most a thousand connections open, and others again when these are refused', () => {
    const refusals = new DelayedRefusals();
    const refuse = jest.fn();
    for (let count = 0; count < 1001; count++) refusals.add(refuse);
    expect(refuse).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(4000);
    expect(refuse).toHaveBeenCalledTimes(1001);
    refusals.add(refuse);
    expect(refuse).toHaveBeenCalledTimes(1001);
  });
});
