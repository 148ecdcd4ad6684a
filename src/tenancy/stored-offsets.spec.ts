import { IANAZone } from 'luxon';
import { offsetsOf } from './stored-offsets';

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
