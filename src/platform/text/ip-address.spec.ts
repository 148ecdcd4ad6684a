import { parseIpAddress } from './ip-address';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:61234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:61234', '2001:db8::7'],
  ['unknown', null],
  ['ana@example.com', null],
  ['203.0.113.7 ana@example.com', null],
  ['203.0.113:80', null],
  ['', null],
  [undefined, null],
])('%j contains the address %j', (text, address) => {
  expect(parseIpAddress(text)).toBe(address);
});
