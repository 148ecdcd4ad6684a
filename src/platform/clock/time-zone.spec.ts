import { IANAZone } from 'luxon';
import { dayOf, endOfDay, isTimezone, offsetsOf, startOfDay } from './time-zone';

const HOUR_MS = 60 * 60_000;

/** The day of each change of the zone's offset, read day by day. The offsets of Date are wrong where changes are close. */
function daysOfChanges(name: string, from: number, until: number): string[] {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: name,
    timeZoneName: 'shortOffset',
    hour: '2-digit',
  });
  const offsetAt = (time: number) => format.format(time).split(' ').at(-1);
  const days: string[] = [];
  for (let time = from; time < until; time += 24 * HOUR_MS) {
    if (offsetAt(time) !== offsetAt(time + 24 * HOUR_MS))
      days.push(new Date(time).toISOString().slice(0, 10));
  }
  return days;
}

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

describe('the offsets of a zone', () => {
  it.each([
    'UTC',
    'CET',
    'WET',
    'America/Sao_Paulo',
    'America/Edmonton',
    'America/Havana',
    // No summer time in Ramadan.
    'Africa/Casablanca',
    'Africa/Cairo',
    'Asia/Gaza',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  ])('of %s are those of Node at each hour', (name) => {
    const [from, until] = [Date.UTC(2008, 0), Date.UTC(2032, 0)];
    const periods = offsetsOf(name, from, until);
    const zone = IANAZone.create(name);
    let index = 0;
    for (let time = from; time < until; time += 11 * HOUR_MS) {
      while ((periods[index + 1]?.since ?? Infinity) <= time) index++;
      if (zone.offset(time) !== periods[index]?.offset)
        throw new Error(`${name} is wrong at ${new Date(time).toISOString()}`);
    }
  });

  // All zones of version 2025c in which clocks change twice within two weeks between 2000 and 2060.
  it.each([
    'America/Argentina/Tucuman',
    'America/Boa_Vista',
    'America/Fortaleza',
    'America/Maceio',
    'America/Noronha',
    'America/Recife',
    'Asia/Gaza',
    'Asia/Hebron',
  ])('of %s are complete, although clocks change twice within a few days', (name) => {
    const [from, until] = [Date.UTC(2000, 0), Date.UTC(2060, 0)];
    const [, ...changes] = offsetsOf(name, from, until);
    const days = changes.map(({ since }) => new Date(since - 1).toISOString().slice(0, 10));
    expect(days).toEqual(daysOfChanges(name, from, until));
  });

  it('change at the minute at which the clocks do', () => {
    expect(offsetsOf('CET', Date.UTC(2026, 0), Date.UTC(2027, 0))).toEqual([
      { since: Date.UTC(2026, 0), offset: 60 },
      { since: Date.UTC(2026, 2, 29, 1), offset: 120 },
      { since: Date.UTC(2026, 9, 25, 1), offset: 60 },
    ]);
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
