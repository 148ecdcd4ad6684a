import { ISO_TIMESTAMP, parseTimestamp } from './timestamp';

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:30.5', '2026-01-31T12:00:30.500Z'],
  ['2026-01-31T12:00:30Z', '2026-01-31T12:00:30.000Z'],
  ['2026-01-31T12:00:30-03:00', '2026-01-31T15:00:30.000Z'],
  ['2026-01-31T12:00:30+0530', '2026-01-31T06:30:30.000Z'],
])('%s is %s', (text, iso) => {
  expect(text).toMatch(ISO_TIMESTAMP);
  expect(parseTimestamp(text).toISOString()).toBe(iso);
});

it.each(['2026', '2026-01', '2026-W05-1', '2026-031', '2026-01-31 12:00', '2026-01-31T12', '+002026-01-31'])(
  '%s is not accepted',
  (text) => {
    expect(text).not.toMatch(ISO_TIMESTAMP);
  },
);
