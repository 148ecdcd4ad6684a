import express, { type Request } from 'express';
import { fake } from '../../../test/support/fake';
import { isLoopbackClient, trustFunction } from './client-address';

const request = (ip: string, headers = {}, peer = '10.0.0.1') =>
  fake<Request>({ ip, headers, socket: { remoteAddress: peer } });

function trusting(proxies: false | number | string[]) {
  const app = express();
  app.set('trust proxy', proxies);
  return trustFunction(app);
}

describe('isLoopbackClient', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['198.51.100.7', false],
    ['2001:db8::1', false],
    ['unknown', false],
  ])('%s: %s', (ip, expected) => {
    expect(isLoopbackClient(request(ip), trusting(false))).toBe(expected);
  });

  describe.each(['x-forwarded-for', 'forwarded', 'via'])('with %s of a proxy on this machine', (name) => {
    it.each<[false | number | string[], boolean]>([
      [false, false],
      [0, false],
      [['10.0.0.0/8'], false],
      [1, true],
      [['loopback'], true],
      [['10.0.0.0/8', '127.0.0.1'], true],
    ])('and TRUST_PROXY %p: %s', (proxies, expected) => {
      const forwarded = request('127.0.0.1', { [name]: '198.51.100.7' }, '127.0.0.1');
      expect(isLoopbackClient(forwarded, trusting(proxies))).toBe(expected);
    });
  });
});
