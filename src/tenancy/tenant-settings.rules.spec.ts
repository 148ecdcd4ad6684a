import { ApiError } from '../platform/http/errors/api-error';
import { canonicalLanguage, distinctPauseReasons, MAX_SITES, siteOrigins } from './tenant-settings.rules';

/** The invalid field of the 422 that `work` throws. */
function rejectedField(work: () => unknown): string | undefined {
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

  it.each(['', 'p', 'pt_BR', 'pt-', 'Português', '*', 'pt-BR; q=1', 'x-private'])('rejects %j', (tag) => {
    expect(rejectedField(() => canonicalLanguage(tag))).toBe('language');
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
  ])('reads %s as %s', (site, origin) => {
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
  ])('rejects %j', (site) => {
    expect(rejectedField(() => siteOrigins(['https://example.com', site]))).toBe('allowed_sites');
  });

  it('returns distinct origins in the given order, up to the maximum', () => {
    expect(siteOrigins(['https://b.example/1', 'https://a.example', 'https://b.example/2'])).toEqual([
      'https://b.example',
      'https://a.example',
    ]);
    const maximum = Array.from({ length: MAX_SITES }, (_, index) => `https://s${index}.example`);
    expect(siteOrigins([...maximum, ...maximum])).toEqual(maximum);
    expect(rejectedField(() => siteOrigins([...maximum, 'https://one-more.example']))).toBe('allowed_sites');
  });
});

describe('distinctPauseReasons', () => {
  it.each([
    [[], []],
    [
      ['Lunch', 'Training', 'Lunch'],
      ['Lunch', 'Training'],
    ],
    [
      ['b', 'a', 'B'],
      ['b', 'a', 'B'],
    ],
    [['missed offer'], ['missed offer']],
  ])('of %j are %j', (reasons, distinct) => {
    expect(distinctPauseReasons(reasons)).toEqual(distinct);
  });

  it.each(['missed_offer', 'MISSED_OFFER', 'Not_Taking_Calls'])('do not include %s', (reserved) => {
    expect(rejectedField(() => distinctPauseReasons(['Lunch', reserved]))).toBe('pause_reasons');
  });
});
