import { networkLevel } from './network-level';

const measured = (sent: number, returned: number, roundTrip: number) => ({
  isConnected: true,
  sent,
  roundTrips: Array.from({ length: returned }, () => roundTrip),
});

describe('networkLevel', () => {
  it.each([
    [300, 300, 40, 'good'],
    [300, 291, 40, 'good'],
    [300, 280, 40, 'fair'],
    [300, 200, 40, 'poor'],
    [300, 300, 300, 'fair'],
    [300, 300, 700, 'poor'],
    [300, 0, 0, 'poor'],
    [10, 10, 40, null],
    [0, 0, 0, null],
  ])('%p packets, of which %p came back after %p ms: %p', (sent, returned, roundTrip, level) => {
    expect(networkLevel(measured(sent, returned, roundTrip))).toBe(level);
  });

  it('takes the middle of the round trips, not one bad moment', () => {
    expect(
      networkLevel({ isConnected: true, sent: 21, roundTrips: [...Array<number>(20).fill(50), 5000] }),
    ).toBe('good');
  });
});
