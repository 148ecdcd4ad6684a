import { dayOf, endOfDay, isTimezone, startOfDay } from './time-zone';

const HOUR_MS = 60 * 60_000;

describe('isTimezone', () => {
  it.each([
    'UTC',
    'America/Sao_Paulo',
    'america/sao_paulo',
    'Asia/Kolkata',
    'Europe/Kyiv',
    'Etc/GMT+3',
    'CET',
    'US/Pacific',
    'GB',
    'NZ-CHAT',
    'EST5EDT',
    'W-SU',
    'GMT0',
    'Cuba',
  ])('knows %s', (name) => {
    expect(isTimezone(name)).toBe(true);
  });

  it.each([
    '',
    'Mars/Olympus',
    'America',
    'posix/America/Sao_Paulo',
    'GMT+3',
    '+03:00',
    '-0300',
    'FOO3',
    'IST',
    'PST',
  ])('does not know %j', (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});

it.each([
  ['2026-03-29', 'CET', 23],
  ['2026-10-25', 'CET', 25],
  ['2025-11-02', 'America/Havana', 25],
  ['2018-11-04', 'America/Sao_Paulo', 23],
  ['2011-12-30', 'Pacific/Apia', 0],
])('%s has in %s %d hours, whose day it is', (date, timezone, hours) => {
  const [start, end] = [startOfDay(date, timezone), endOfDay(date, timezone)];
  expect((end.getTime() - start.getTime()) / HOUR_MS).toBe(hours);
  if (hours > 0) expect(dayOf(start, timezone)).toBe(date);
  expect(dayOf(new Date(start.getTime() - 1), timezone) < date).toBe(true);
});
