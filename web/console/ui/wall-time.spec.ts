import { deviceZone } from '../../shared/zones';
import { formatTimeAs } from './dates';
import { addMinutes, dayIn, instantOf, wallTimeOf, zoneOffset } from './wall-time';

describe('wallTimeOf', () => {
  it.each([
    ['2027-01-31T12:00:00.000Z', 'UTC', '2027-01-31T12:00'],
    ['2027-01-31T02:30:00.000Z', 'America/Sao_Paulo', '2027-01-30T23:30'],
    ['2027-07-01T22:05:00.000Z', 'Europe/Berlin', '2027-07-02T00:05'],
  ])('%p in %p is %p', (instant, zone, wall) => {
    expect(wallTimeOf(instant, zone)).toBe(wall);
  });
});

describe('zoneOffset', () => {
  it.each([
    ['2027-01-31T12:00:30.000Z', 'Asia/Kolkata', 330],
    ['2027-07-01T12:00:00.000Z', 'Europe/Berlin', 120],
    ['2027-01-01T12:00:00.000Z', 'America/Sao_Paulo', -180],
  ])('%p in %p is %p minutes', (instant, zone, minutes) => {
    expect(zoneOffset(new Date(instant), zone)).toBe(minutes);
  });
});

it('a zone that the browser does not know is that of the browser', () => {
  const [noon, device] = [new Date('2027-01-31T12:00:00Z'), deviceZone()];
  expect(wallTimeOf(noon, 'Mars/Base')).toBe(wallTimeOf(noon, device));
  expect(zoneOffset(noon, 'Mars/Base')).toBe(zoneOffset(noon, device));
  expect(instantOf(wallTimeOf(noon, 'Mars/Base'), 'Mars/Base')).toEqual(noon);
  expect(formatTimeAs('period', noon, 'en', 'Mars/Base')).toBe(formatTimeAs('period', noon, 'en', device));
});

describe('instantOf', () => {
  it.each([
    ['2027-01-30T23:30', 'America/Sao_Paulo', '2027-01-31T02:30:00.000Z'],
    ['2027-07-02T00:05', 'Europe/Berlin', '2027-07-01T22:05:00.000Z'],
    // Skipped: the clocks go from 02:00 to 03:00.
    ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
    // Repeated: 03:00 becomes 02:00.
    ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
  ])('%p in %p is %p', (wall, zone, instant) => {
    expect(instantOf(wall, zone)?.toISOString()).toBe(instant);
  });

  it.each(['', 'tomorrow', '2027-13-40T99:99'])('%p is no time', (wall) => {
    expect(instantOf(wall, 'UTC')).toBeNull();
  });
});

it.each([
  ['2027-01-31T23:45', 30, '2027-02-01T00:15'],
  ['2027-01-31T00:10', -15, '2027-01-30T23:55'],
])('%p and %p minutes is %p', (wall, minutes, later) => {
  expect(addMinutes(wall, minutes)).toBe(later);
});

it.each([
  ['UTC', '2026-02-01'],
  ['America/Sao_Paulo', '2026-01-31'],
  ['Asia/Tokyo', '2026-02-01'],
])('the day in %s is %s', (zone, day) => {
  expect(dayIn(zone, new Date('2026-02-01T02:30:00Z'))).toBe(day);
});
