import { isLocalRequest } from './local-request';

const request = (
  host: string | undefined,
  headers: Record<string, string> = {},
  { remoteAddress = '127.0.0.1', httpVersion = '1.1' } = {},
) => ({ headers: { host, ...headers }, httpVersion, socket: { remoteAddress, localPort: 3000 } });

describe('isLocalRequest is true for a program on this machine', () => {
  it.each([
    ['127.0.0.1:3000', '127.0.0.1'],
    ['localhost:3000', '127.0.0.1'],
    ['localhost:3000', '::1'],
    ['127.1.2.3:3000', '127.1.2.3'],
    ['[::1]:3000', '::1'],
    ['127.0.0.1:3000', '::ffff:127.0.0.1'],
  ])('that asks for %s from %s', (host, remoteAddress) => {
    expect(isLocalRequest(request(host, { accept: '*/*' }, { remoteAddress }))).toBe(true);
  });
});

type Case = [what: string, sent: ReturnType<typeof request>];

describe('isLocalRequest is false for', () => {
  it.each<Case>([
    ['another machine', request('127.0.0.1:3000', {}, { remoteAddress: '192.0.2.7' })],
    ['another machine over IPv6', request('localhost:3000', {}, { remoteAddress: '::ffff:192.0.2.7' })],
    ['a proxy that passes the Host on', request('calls.example.com')],
    ['a proxy whose client asks for a loopback name', request('localhost')],
    ['a proxy at another port', request('127.0.0.1:8080')],
    ['a Host that is none', request('a b:3000')],
    ['no Host', request(undefined)],
    ['a name that begins like an address', request('127.0.0.1.example.com:3000')],
    ['HTTP/1.0', request('127.0.0.1:3000', {}, { httpVersion: '1.0' })],
    ...['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'Via', 'X-Real-IP', 'CF-Connecting-IP'].map(
      (name): Case => [name, request('127.0.0.1:3000', { [name.toLowerCase()]: '127.0.0.1' })],
    ),
  ])('%s', (_what, sent) => expect(isLocalRequest(sent)).toBe(false));
});
