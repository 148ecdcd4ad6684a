import type { Request } from 'express';
import { fake } from '../../../test/support/fake';
import { clientAddress } from './client-address';

const addressOf = (ip: string | undefined) =>
  clientAddress(fake<Request>({ ip, socket: { remoteAddress: '10.0.0.1' } }));

describe('clientAddress', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:51234', '198.51.100.7'],
    ['[198.51.100.7]', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['[::ffff:198.51.100.7]:51234', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['2001:db8:1:2::a', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::a]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::a]:51234', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::1'],
  ])('%s counts as %s', (ip, expected) => {
    expect(addressOf(ip)).toBe(expected);
  });

  it.each([
    [undefined],
    [''],
    ['unknown'],
    ['_hidden'],
    ['198.51.100.7:51234:1'],
    ['198.51.100:80'],
    ['[unknown]:80'],
    ['198.51.100.7 '],
    ['a'.repeat(10_000)],
  ])('%s is not an address: the peer counts', (ip) => {
    expect(addressOf(ip)).toBe('10.0.0.1');
  });
});
