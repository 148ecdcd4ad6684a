import { browserKind, inAppBrowser, intentUrl, lackOf } from './browser';

const AGENTS = {
  chromeAndroid:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  samsung:
    'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
  firefoxAndroid: 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  chromeDesktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
  safariIos:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  safariDesktop:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
} as const;

const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0.0.28.104';
const FACEBOOK =
  'Mozilla/5.0 (Linux; Android 13; SM-A136B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/510.0.0.43.99;]';
const WEB_VIEW =
  'Mozilla/5.0 (Linux; Android 13; SM-A136B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36';

describe('browserKind', () => {
  it.each(Object.entries(AGENTS))('%s', (kind, userAgent) => {
    expect(browserKind(userAgent)).toBe(kind);
    expect(inAppBrowser(userAgent)).toBeNull();
  });

  it('knows an iPad, which says that it is a Mac', () => {
    expect(browserKind(AGENTS.safariDesktop, 5)).toBe('safariIos');
  });
});

describe('inAppBrowser', () => {
  it.each([
    ['Instagram', INSTAGRAM],
    ['Facebook', FACEBOOK],
    ['', WEB_VIEW],
  ])('%s', (name, userAgent) => {
    expect(inAppBrowser(userAgent)).toBe(name);
  });
});

describe('lackOf', () => {
  const good = { userAgent: AGENTS.chromeAndroid, hasWebRtc: true, hasGetUserMedia: true, isSecure: true };

  it.each([
    [{}, null],
    // Some of these apps can do it.
    [{ userAgent: INSTAGRAM }, null],
    [
      { userAgent: INSTAGRAM, hasGetUserMedia: false },
      { kind: 'in_app', app: 'Instagram' },
    ],
    [
      { userAgent: WEB_VIEW, hasWebRtc: false },
      { kind: 'in_app', app: '' },
    ],
    [{ hasWebRtc: false }, { kind: 'too_old' }],
    [{ hasGetUserMedia: false, isSecure: false }, { kind: 'insecure' }],
  ])('%j: %j', (changes, expected) => {
    expect(lackOf({ ...good, ...changes })).toEqual(expected);
  });
});

it('makes an address for the real browser of Android', () => {
  expect(intentUrl('https://calls.example.com/c/abc?lang=pt')).toBe(
    'intent://calls.example.com/c/abc?lang=pt#Intent;scheme=https;action=android.intent.action.VIEW;S.browser_fallback_url=https%3A%2F%2Fcalls.example.com%2Fc%2Fabc%3Flang%3Dpt;end',
  );
});

it('keeps the token of a resume link for the real browser', () => {
  expect(intentUrl('https://calls.example.com/c/abc#resume=xyz')).toContain('/c/abc#resume=xyz#Intent;');
});
