import type { Config } from '../../platform/config/config';
import { SocketOwners } from './socket-owners';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('SocketOwners', () => {
  it('forgives a socket 200 refused events at once, and five a second after that', () => {
    const refusals = new SocketOwners({ socketRateLimit: 50 } as Config).newRefusals();
    const forgiven = (events: number) =>
      Array.from({ length: events }, () => refusals.take()).filter(Boolean).length;
    expect(forgiven(250)).toBe(200);
    jest.advanceTimersByTime(2000);
    expect(forgiven(50)).toBe(10);
  });
});
