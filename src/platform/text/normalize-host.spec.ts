import { normalizeHost } from './normalize-host';

describe('normalizeHost', () => {
  it.each([
    ['hooks.internal', 'hooks.internal'],
    ['Hooks.Internal.', 'hooks.internal'],
    ['localhost', 'localhost'],
    ['my_host', 'my_host'],
    ['açaí.example', 'xn--aa-4iaz.example'],
    ['10.0.0.7', '10.0.0.7'],
    ['0x7f.1', '127.0.0.1'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['FD00:0::7', 'fd00::7'],
  ])('%j is %j', (text, host) => expect(normalizeHost(text)).toBe(host));

  it.each([
    '',
    '.',
    'a b',
    'hooks:8080',
    'hooks:443',
    '10.0.0.7:80',
    '[::1]:80',
    '10.0.0.0/8',
    'http://hooks',
    'user@hooks',
    'hooks/path',
    '10.0.0.256',
    '*.internal',
    '[::1',
    '[]',
  ])('%j is not a host', (text) => expect(normalizeHost(text)).toBeUndefined());
});
