import { parseHttpUrl } from './parse-http-url';

describe('parseHttpUrl', () => {
  it.each([
    ['https://calls.example.com/x?a=1&b=2', 'https://calls.example.com/x?a=1&b=2'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['HTTPS://Example.com/A', 'https://example.com/A'],
    ['https://example.com/"><script>', 'https://example.com/%22%3E%3Cscript%3E'],
    ['https://açaí.example/', 'https://xn--aa-4iaz.example/'],
  ])('%j is %j', (address, url) => {
    expect(parseHttpUrl(address)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript://example.com/%0Aalert(1)',
    'data:text/html,x',
    'ftp://example.com',
    '//example.com/logo.png',
    '/logo.png',
    'https:example.com',
    'https://',
    'http://a b',
    '',
    null,
    undefined,
  ])('%j is not an http URL', (address) => {
    expect(parseHttpUrl(address)).toBeUndefined();
  });
});
