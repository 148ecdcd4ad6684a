import fc from 'fast-check';
import { type HoursException, WEEKDAYS, type WallInterval, type ZonedHours } from './opening-hours';
import { closesAt, isOpen, openPeriods, opensAt } from './opening-hours.rules';
import { dayAfter, MinuteOracle } from '../../../test/support/contexts/minute-oracle';

type Week = Partial<Record<(typeof WEEKDAYS)[number] | 'daily', WallInterval[]>>;

function hoursOf(
  timezone: string,
  { daily = [], ...days }: Week,
  exceptions: Partial<HoursException>[] = [],
) {
  return {
    timezone,
    weekly: { ...Object.fromEntries(WEEKDAYS.map((day) => [day, daily])), ...days },
    exceptions: exceptions.map((exception) => ({ date: '', intervals: [], label: null, ...exception })),
  } as ZonedHours;
}

const periods = (hours: ZonedHours, from: string, to: string) =>
  openPeriods(hours, new Date(from), new Date(to)).map(({ opens_at, closes_at }) => [
    opens_at.toISOString(),
    closes_at.toISOString(),
  ]);

const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';
const LORD_HOWE = 'Australia/Lord_Howe';

describe('openPeriods', () => {
  it.each<[string, string, WallInterval[], string, string[][]]>([
    [
      'a missing hour means the next instant',
      BERLIN,
      [
        ['02:00', '02:30'],
        ['02:45', '04:00'],
      ],
      '2026-03-29',
      [['2026-03-29T01:00:00.000Z', '2026-03-29T02:00:00.000Z']],
    ],
    [
      'closing in a missing hour',
      BERLIN,
      [['01:00', '02:30']],
      '2026-03-29',
      [['2026-03-29T00:00:00.000Z', '2026-03-29T01:00:00.000Z']],
    ],
    [
      'hours on both sides of a missing hour are joined',
      BERLIN,
      [
        ['01:00', '02:00'],
        ['03:00', '04:00'],
      ],
      '2026-03-29',
      [['2026-03-29T00:00:00.000Z', '2026-03-29T02:00:00.000Z']],
    ],
    [
      'at a repeated hour opening means the first and closing the second occurrence',
      BERLIN,
      [['02:30', '02:45']],
      '2026-10-25',
      [['2026-10-25T00:30:00.000Z', '2026-10-25T01:45:00.000Z']],
    ],
    [
      'hours that overlap only because an hour is repeated are joined',
      BERLIN,
      [
        ['02:00', '02:15'],
        ['02:30', '02:45'],
      ],
      '2026-10-25',
      [['2026-10-25T00:00:00.000Z', '2026-10-25T01:45:00.000Z']],
    ],
    [
      'a day of 23 hours',
      NEW_YORK,
      [['00:00', '24:00']],
      '2026-03-08',
      [['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z']],
    ],
    [
      'a day of 25 hours',
      NEW_YORK,
      [['00:00', '24:00']],
      '2026-11-01',
      [['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']],
    ],
    [
      'a repeated hour in the west',
      NEW_YORK,
      [['01:10', '01:20']],
      '2026-11-01',
      [['2026-11-01T05:10:00.000Z', '2026-11-01T06:20:00.000Z']],
    ],
    [
      'a missing half hour',
      LORD_HOWE,
      [['02:10', '03:00']],
      '2026-10-04',
      [['2026-10-03T15:30:00.000Z', '2026-10-03T16:00:00.000Z']],
    ],
    [
      'a repeated half hour',
      LORD_HOWE,
      [['01:45', '01:50']],
      '2026-04-05',
      [['2026-04-04T14:45:00.000Z', '2026-04-04T15:20:00.000Z']],
    ],
    [
      'a midnight that clocks skip',
      'Asia/Beirut',
      [['00:00', '02:00']],
      '2026-03-29',
      [['2026-03-28T22:00:00.000Z', '2026-03-28T23:00:00.000Z']],
    ],
    ['a day that the calendar skips', 'Pacific/Apia', [['09:00', '17:00']], '2011-12-30', []],
  ])('%s (%s)', (_, timezone, intervals, date, expected) => {
    const hours = hoursOf(timezone, {}, [{ date, intervals }]);
    const around = [`${dayAfter(date, -2)}T00:00:00Z`, `${dayAfter(date, 3)}T00:00:00Z`] as const;
    expect(periods(hours, ...around)).toEqual(expected);
  });

  it('joins days at midnight and cuts periods off at the ends of the range', () => {
    const nights = hoursOf('Asia/Kolkata', {
      fri: [['20:00', '24:00']],
      sat: [
        ['00:00', '04:00'],
        ['22:00', '24:00'],
      ],
    });
    expect(periods(nights, '2026-01-02T12:00:00Z', '2026-01-03T17:00:00Z')).toEqual([
      ['2026-01-02T14:30:00.000Z', '2026-01-02T22:30:00.000Z'],
      ['2026-01-03T16:30:00.000Z', '2026-01-03T17:00:00.000Z'],
    ]);
    expect(periods(nights, '2026-01-02T18:00:00Z', '2026-01-02T20:00:00Z')).toEqual([
      ['2026-01-02T18:00:00.000Z', '2026-01-02T20:00:00.000Z'],
    ]);
    expect(periods(nights, '2026-01-03T16:30:00Z', '2026-01-03T16:30:00Z')).toEqual([]);
  });

  it('takes exceptions instead of the hours of the week, on their local date', () => {
    const hours = hoursOf(NEW_YORK, { daily: [['09:00', '17:00']] }, [
      { date: '2026-12-24', intervals: [['09:00', '12:00']] },
      { date: '2026-12-25' },
    ]);
    expect(periods(hours, '2026-12-24T00:00:00Z', '2026-12-27T00:00:00Z')).toEqual([
      ['2026-12-24T14:00:00.000Z', '2026-12-24T17:00:00.000Z'],
      ['2026-12-26T14:00:00.000Z', '2026-12-26T22:00:00.000Z'],
    ]);
  });
});

describe('isOpen, opensAt and closesAt', () => {
  const office = hoursOf(BERLIN, { mon: [['09:00', '17:00']] }, [
    { date: '2026-05-25' },
    { date: '2026-05-30', intervals: [['10:00', '11:00']] },
  ]);
  const nights = hoursOf(BERLIN, { mon: [['22:00', '24:00']], tue: [['00:00', '06:00']] });
  const daily = Array.from({ length: 100 }, (_, index) => ({ date: dayAfter('2026-05-18', index) }));
  const mondays = Array.from({ length: 100 }, (_, index) => ({ date: dayAfter('2026-05-18', 7 * index) }));
  const always: WallInterval[] = [['00:00', '24:00']];

  it.each<[string, ZonedHours, string, string | null, string | null]>([
    ['before opening', office, '2026-05-18T06:59:59.999Z', '2026-05-18T07:00Z', '2026-05-18T15:00Z'],
    ['at opening', office, '2026-05-18T07:00:00.000Z', 'open', '2026-05-18T15:00Z'],
    ['before closing', office, '2026-05-18T14:59:59.999Z', 'open', '2026-05-18T15:00Z'],
    [
      'at closing, with exceptions ahead',
      office,
      '2026-05-18T15:00:00.000Z',
      '2026-05-30T08:00Z',
      '2026-05-30T09:00Z',
    ],
    ['across midnight', nights, '2026-05-18T21:00:00.000Z', 'open', '2026-05-19T04:00Z'],
    ['without hours', hoursOf(BERLIN, {}), '2026-05-18T12:00:00.000Z', null, null],
    ['around the clock', hoursOf(BERLIN, { daily: always }), '2026-05-18T12:00:00.000Z', 'open', null],
    [
      'around the clock until an exception',
      hoursOf(BERLIN, { daily: always }, [{ date: '2027-05-01' }]),
      '2026-05-18T12:00:00.000Z',
      'open',
      '2027-04-30T22:00Z',
    ],
    [
      'around the clock with exceptions that are open',
      hoursOf(BERLIN, { daily: always }, [{ date: '2027-05-01', intervals: always }]),
      '2026-05-18T12:00:00.000Z',
      'open',
      null,
    ],
    [
      'only an exception in a year',
      hoursOf(BERLIN, {}, [{ date: '2027-05-01', intervals: [['10:00', '11:00']] }]),
      '2026-05-18T12:00:00.000Z',
      '2027-05-01T08:00Z',
      '2027-05-01T09:00Z',
    ],
    [
      'only exceptions that are years apart',
      hoursOf(BERLIN, {}, [
        { date: '2026-05-17', intervals: always },
        { date: '2150-05-01', intervals: always },
        { date: '2190-05-01', intervals: always },
      ]),
      '2026-05-18T12:00:00.000Z',
      '2150-04-30T22:00Z',
      '2150-05-01T22:00Z',
    ],
    [
      'only a past exception',
      hoursOf(BERLIN, {}, [{ date: '2026-05-17', intervals: always }]),
      '2026-05-18T12:00:00.000Z',
      null,
      null,
    ],
    [
      'a hundred closed days',
      hoursOf(BERLIN, { daily: [['09:00', '10:00']] }, daily),
      '2026-05-18T12:00:00.000Z',
      '2026-08-26T07:00Z',
      '2026-08-26T08:00Z',
    ],
    [
      'a hundred closed Mondays',
      hoursOf(BERLIN, { mon: [['09:00', '10:00']] }, mondays),
      '2026-05-18T12:00:00.000Z',
      '2028-04-17T07:00Z',
      '2028-04-17T08:00Z',
    ],
    [
      'three hundred closed Mondays',
      hoursOf(
        BERLIN,
        { mon: [['09:00', '10:00']] },
        Array.from({ length: 300 }, (_, index) => ({ date: dayAfter('2026-05-18', 7 * index) })),
      ),
      '2026-05-18T12:00:00.000Z',
      '2032-02-16T08:00Z',
      '2032-02-16T09:00Z',
    ],
    [
      'around the clock until an exception in a century',
      hoursOf(BERLIN, { daily: always }, [{ date: '2150-05-01' }]),
      '2026-05-18T12:00:00.000Z',
      'open',
      '2150-04-30T22:00Z',
    ],
    [
      'in two intervals around the clock, with exceptions that are years apart',
      hoursOf(
        BERLIN,
        {
          daily: [
            ['00:00', '12:00'],
            ['12:00', '24:00'],
          ],
        },
        [
          { date: '2031-05-01', intervals: always },
          { date: '2150-05-01', intervals: [['00:00', '18:00']] },
        ],
      ),
      '2026-05-18T12:00:00.000Z',
      'open',
      '2150-05-01T16:00Z',
    ],
    [
      'around the clock, closed today, with an exception in a century',
      hoursOf(BERLIN, { daily: always }, [{ date: '2026-05-18' }, { date: '2150-05-01' }]),
      '2026-05-18T12:00:00.000Z',
      '2026-05-18T22:00Z',
      '2150-04-30T22:00Z',
    ],
    [
      'a weekly hour that clocks skip',
      hoursOf(BERLIN, { sun: [['02:00', '03:00']] }),
      '2026-03-23T12:00:00.000Z',
      '2026-04-05T00:00Z',
      '2026-04-05T01:00Z',
    ],
  ])('%s', (_, hours, now, opens, closes) => {
    const at = new Date(now);
    const expected = opens === 'open' ? at : opens && new Date(opens);
    expect([isOpen(hours, at), opensAt(hours, at)]).toEqual([opens === 'open', expected]);
    expect(closesAt(hours, at)).toEqual(closes && new Date(closes));
  });
});

/** Weeks around changes of clocks: forward and back, at night and at midnight, by an hour and by half. */
const WINDOWS = [
  [BERLIN, '2026-03-20'],
  [BERLIN, '2026-10-16'],
  [NEW_YORK, '2026-02-27'],
  [NEW_YORK, '2026-10-23'],
  [LORD_HOWE, '2026-09-25'],
  [LORD_HOWE, '2026-03-27'],
  ['Asia/Beirut', '2026-03-20'],
  ['Asia/Beirut', '2026-10-16'],
  ['America/Havana', '2026-10-23'],
  ['America/Sao_Paulo', '2026-05-01'],
] as const;
const WINDOW_DAYS = 21;

/** Times around midnight and the changes of clocks. */
const TIMES = [
  '00:00',
  '00:30',
  '01:00',
  '01:40',
  '02:00',
  '02:15',
  '02:30',
  '03:00',
  '12:00',
  '23:00',
  '24:00',
];

const arbitraryDay = fc.subarray(TIMES).map((times) => {
  const pairs = times.map((from, index) => [from, times[index + 1]] as WallInterval);
  return pairs.filter(([, to], index) => to !== undefined && index % 2 === 0);
});

const weekOf = <T>(day: T) => ({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day });

describe.each(WINDOWS)('any hours in %s, in the weeks from %s', (timezone, first) => {
  const oracle = new MinuteOracle(timezone, first, WINDOW_DAYS);
  const dates = fc.integer({ min: 0, max: WINDOW_DAYS - 1 }).map((days) => dayAfter(first, days));
  const exception = fc.record({ date: dates, intervals: arbitraryDay, label: fc.constant(null) });
  const arbitraryHours = fc.record({
    timezone: fc.constant(timezone),
    weekly: fc.record(weekOf(arbitraryDay)),
    exceptions: fc
      .uniqueArray(exception, { maxLength: 5, selector: ({ date }) => date })
      .map((list) => list.toSorted((one, other) => (one.date < other.date ? -1 : 1))),
  });

  it('have the periods that a minute-by-minute walk finds', () => {
    fc.assert(
      fc.property(arbitraryHours, (hours) => {
        const found = openPeriods(hours, oracle.from, oracle.to);
        expect(found.map((period) => [period.opens_at, period.closes_at])).toEqual(oracle.periodsOf(hours));
        const times = found.flatMap((period) => [period.opens_at, period.closes_at]).map(Number);
        // Sorted and without overlaps: neighbours do not even touch.
        expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
      }),
      { numRuns: 40 },
    );
  });

  it('open at the first moment that is open, and close at the end of that period', () => {
    const minutes = fc.integer({ min: 0, max: 14 * 1440 });
    fc.assert(
      fc.property(arbitraryHours, minutes, (hours, minute) => {
        const at = new Date(oracle.from.getTime() + minute * 60_000 + 30_000);
        const next = oracle.periodsOf(hours).find(([, end]) => end > at);
        expect(isOpen(hours, at)).toBe(next !== undefined && next[0] <= at);
        const opening = opensAt(hours, at);
        if (!next) return expect(opening === null || opening >= oracle.to).toBe(true);
        const [start, end] = next;
        expect(opening).toEqual(start > at ? start : at);
        if (end < oracle.to) expect(closesAt(hours, at)).toEqual(end);
      }),
      { numRuns: 60 },
    );
  });
});
