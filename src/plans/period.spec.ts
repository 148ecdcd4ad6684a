import * as fc from 'fast-check';
import { addMonth } from './period';

describe('addMonth', () => {
  it.each([
    ['2026-06-12T16:45:03.123Z', '2026-07-12T16:45:03.123Z'],
    ['2026-01-31T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
    ['2024-01-31T12:00:00.000Z', '2024-02-29T12:00:00.000Z'],
    ['2026-01-29T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28T23:59:59.999Z', '2026-03-28T23:59:59.999Z'],
    ['2026-03-31T00:00:00.000Z', '2026-04-30T00:00:00.000Z'],
    ['2026-05-31T23:59:59.999Z', '2026-06-30T23:59:59.999Z'],
    ['2026-12-31T12:00:00.000Z', '2027-01-31T12:00:00.000Z'],
  ])('%s → %s', (from, to) => {
    const before = new Date(from);
    expect(addMonth(before).toISOString()).toBe(to);
    expect(before.toISOString()).toBe(from);
  });

  it('always returns the same day of the next month, or its last day', () => {
    const moments = fc.date({
      min: new Date('1990-01-01T00:00:00Z'),
      max: new Date('2200-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (from) => {
        const to = addMonth(from);
        expect(to.getUTCMonth()).toBe((from.getUTCMonth() + 1) % 12);
        const dayAfter = new Date(to.getTime() + 86_400_000);
        const isLastDay = dayAfter.getUTCMonth() !== to.getUTCMonth();
        expect(to.getUTCDate() === from.getUTCDate() || isLastDay).toBe(true);
        expect(to.getTime() % 86_400_000).toBe(from.getTime() % 86_400_000);
      }),
    );
  });
});
