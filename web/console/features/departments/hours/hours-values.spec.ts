import { copyToWorkdays, nextPeriod, toHours, toValues, type OpeningHours } from './hours-values';

const CLOSED = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

describe('the values of the form', () => {
  it.each<[string, OpeningHours | null]>([
    ['no hours', null],
    ['a closed week', { timezone: null, weekly: CLOSED, exceptions: [] }],
    [
      'several periods, the end of a day, and exceptions',
      {
        timezone: 'Europe/Berlin',
        weekly: {
          ...CLOSED,
          mon: [
            ['09:00', '12:00'],
            ['13:00', '24:00'],
          ],
          sun: [['00:00', '24:00']],
        },
        exceptions: [
          { date: '2026-12-24', label: 'Christmas', intervals: [['09:00', '12:00']] },
          { date: '2026-12-25', label: null, intervals: [] },
        ],
      },
    ],
  ])('are saved as they were read: %s', (_, hours) => {
    expect(toHours(toValues(hours))).toEqual(hours);
  });

  it('begin with office hours', () => {
    const { weekly } = toValues(null);
    expect(weekly.mon).toEqual([{ from: '09:00', to: '18:00' }]);
    expect(weekly.sat).toEqual([]);
  });
});

describe('nextPeriod', () => {
  it.each([
    [[], { from: '09:00', to: '18:00' }],
    [[{ from: '09:00', to: '12:00' }], { from: '12:00', to: '00:00' }],
  ])('after %j is %j', (periods, next) => {
    expect(nextPeriod(periods)).toEqual(next);
  });
});

it('copyToWorkdays leaves the weekend', () => {
  const { weekly } = toValues(null);
  const copied = copyToWorkdays({ ...weekly, mon: [{ from: '10:00', to: '11:00' }] }, 'mon');
  expect(copied.fri).toEqual([{ from: '10:00', to: '11:00' }]);
  expect(copied.fri[0]).not.toBe(copied.mon[0]);
  expect(copied.sun).toEqual([]);
});
