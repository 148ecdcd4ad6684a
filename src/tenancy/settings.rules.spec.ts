import { ApiError } from '../platform/http/errors/api-error';
import { canonicalLanguage, isTimezone, MAX_SITES, siteOrigins } from './settings.rules';

/** The field that a 422 names. */
function refusedField(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError && error.getStatus() === 422) return Object.keys(error.fields ?? {})[0];
    throw error;
  }
  return undefined;
}

describe('canonicalLanguage', () => {
  it.each([
    ['pt-BR', 'pt-BR'],
    ['PT-br', 'pt-BR'],
    ['en', 'en'],
    ['zh-hans-cn', 'zh-Hans-CN'],
    ['iw', 'he'],
    ['en-us-u-ca-buddhist', 'en-US-u-ca-buddhist'],
  ])('writes %s as %s', (tag, canonical) => {
    expect(canonicalLanguage(tag)).toBe(canonical);
  });

  it.each(['', 'p', 'pt_BR', 'pt-', 'Português', '*', 'pt-BR; q=1', 'x-private'])('refuses %j', (tag) => {
    expect(refusedField(() => canonicalLanguage(tag))).toBe('language');
  });
});

describe('isTimezone', () => {
  it.each(['UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Europe/Kyiv', 'Etc/GMT+3'])('knows %s', (name) => {
    expect(isTimezone(name)).toBe(true);
  });

  it.each(['', 'Mars/Olympus', 'America', 'posix/America/Sao_Paulo', 'GMT+3'])('does not know %j', (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});

describe('siteOrigins', () => {
  it.each([
    ['https://www.example.com', 'https://www.example.com'],
    ['https://WWW.Example.com:443/shop?a=1#top', 'https://www.example.com'],
    ['https://example.com:8443/', 'https://example.com:8443'],
    ['https://pão.example', 'https://xn--po-sia.example'],
    ['https://192.0.2.7', 'https://192.0.2.7'],
    ['https://[2001:db8::1]:444', 'https://[2001:db8::1]:444'],
    ['http://localhost:5173/', 'http://localhost:5173'],
    ['http://shop.localhost', 'http://shop.localhost'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('takes %s as %s', (site, origin) => {
    expect(siteOrigins([site])).toEqual([origin]);
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'http://example.com',
    'http://localhost.example.com',
    'http://127.example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'null',
    '*',
    'https://*.example.com',
    'https://*',
    "https://a.example;script-src'unsafe-inline'",
    'https://a.example,b.example',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://',
  ])('refuses %j', (site) => {
    expect(refusedField(() => siteOrigins(['https://example.com', site]))).toBe('allowed_sites');
  });

  it('keeps each once, in the order given, and no more than so many', () => {
    expect(siteOrigins(['https://b.example/1', 'https://a.example', 'https://b.example/2'])).toEqual([
      'https://b.example',
      'https://a.example',
    ]);
    const most = Array.from({ length: MAX_SITES }, (_, index) => `https://s${index}.example`);
    expect(siteOrigins([...most, ...most])).toEqual(most);
    expect(refusedField(() => siteOrigins([...most, 'https://one-more.example']))).toBe('allowed_sites');
  });
});
