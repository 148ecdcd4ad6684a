import { parseTime } from './typed-time';

it.each([
  ['09:30', '09:30'],
  ['9:3', '09:03'],
  [' 9.30 ', '09:30'],
  ['9', '09:00'],
  ['9h', '09:00'],
  ['9h30', '09:30'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['00:00', '00:00'],
  ['23:59', '23:59'],
  ['24:00', null],
  ['9:60', null],
  ['9:30 PM', null],
  ['09300', null],
  ['noon', null],
  ['', null],
])('%j is typed for %j', (text, time) => {
  expect(parseTime(text)).toBe(time);
});
