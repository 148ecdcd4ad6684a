import { isLoopbackClient } from './loopback-client';

const request = (ip: string, headers = {}) =>
  ({ ip, headers, socket: { remoteAddress: '10.0.0.1' } }) as unknown as Parameters<
    typeof isLoopbackClient
  >[0];

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
    expect(isLoopbackClient(request(ip), false)).toBe(expected);
  });

  it.each(['x-forwarded-for', 'forwarded', 'via'])(
    'rejects a request with %s of a proxy that is not trusted',
    (name) => {
      const forwarded = request('127.0.0.1', { [name]: '198.51.100.7' });
      expect([isLoopbackClient(forwarded, false), isLoopbackClient(forwarded, true)]).toEqual([false, true]);
    },
  );
});
