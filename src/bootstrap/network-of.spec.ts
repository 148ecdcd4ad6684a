import { networkOf } from './access-log';

describe('networkOf', () => {
  it.each([
    ['198.51.100.7', '198.51.100.0/24'],
    ['198.51.100.7:4711', '198.51.100.0/24'],
    ['::ffff:198.51.100.7', '198.51.100.0/24'],
    ['2001:db8:12:3456::1', '2001:db8:12::/48'],
    ['2001:0db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['unknown', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %j', (address, network) => expect(networkOf(address)).toBe(network));
});
