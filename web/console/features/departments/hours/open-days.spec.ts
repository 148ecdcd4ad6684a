import { openDays } from './open-days';

const period = (opens_at: string, closes_at: string) => ({ opens_at, closes_at });
const morning = period('2026-12-24T11:00:00Z', '2026-12-24T15:00:00Z');
const evening = period('2026-12-24T20:00:00Z', '2026-12-24T21:00:00Z');
const night = period('2026-12-25T01:00:00Z', '2026-12-25T02:00:00Z');

describe('openDays', () => {
  it.each([
    ['UTC', [], []],
    [
      'UTC',
      [morning, evening, night],
      [
        { date: '2026-12-24', periods: [morning, evening] },
        { date: '2026-12-25', periods: [night] },
      ],
    ],
    ['America/Sao_Paulo', [morning, night], [{ date: '2026-12-24', periods: [morning, night] }]],
  ])('in %s', (zone, periods, days) => {
    expect(openDays(periods, zone)).toEqual(days);
  });
});
