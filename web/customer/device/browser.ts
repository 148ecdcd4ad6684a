/** The kinds of browser in which the permission of a page is found in different places. */
export type BrowserKind =
  | 'chromeAndroid'
  | 'safariIos'
  | 'samsung'
  | 'chromeDesktop'
  | 'firefox'
  | 'firefoxAndroid'
  | 'safariDesktop'
  | 'other';

/** @param touchPoints navigator.maxTouchPoints: an iPad says that it is a Mac */
export function browserKind(userAgent: string, touchPoints = 0): BrowserKind {
  const isAndroid = /Android/.test(userAgent);
  if (isIos(userAgent, touchPoints)) return 'safariIos';
  if (/SamsungBrowser/.test(userAgent)) return 'samsung';
  if (/Firefox\//.test(userAgent)) return isAndroid ? 'firefoxAndroid' : 'firefox';
  if (/Chrome\//.test(userAgent)) return isAndroid ? 'chromeAndroid' : 'chromeDesktop';
  return /Safari\//.test(userAgent) ? 'safariDesktop' : 'other';
}

/** All browsers of iPhones and iPads are Safari inside. */
export const isIos = (userAgent: string, touchPoints: number): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);

const APPS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Instagram', /Instagram/],
  ['Messenger', /FB_IAB\/MESSENGER|MessengerForiOS|MessengerLite/],
  ['Facebook', /FBAN|FBAV|FB_IAB/],
  ['WhatsApp', /WhatsApp/],
  ['TikTok', /musical_ly|BytedanceWebview|TikTok/i],
  ['LinkedIn', /LinkedInApp/],
  ['Telegram', /Telegram/],
  ['Snapchat', /Snapchat/],
  ['Pinterest', /Pinterest\//],
  ['X', /Twitter/],
  ['Line', /\bLine\//],
  ['WeChat', /MicroMessenger/],
];

/** @returns the name of the app in whose own browser the page is open; '' for an unknown app; null for a real browser */
export function inAppBrowser(userAgent: string): string | null {
  const app = APPS.find(([, pattern]) => pattern.test(userAgent));
  if (app) return app[0];
  const isWebView =
    /Android.*; wv\)/.test(userAgent) || /\((?:iPhone|iPad).*Mobile\/(?!.*Safari\/)/.test(userAgent);
  return isWebView ? '' : null;
}

/** An address that opens the page in the real browser of an Android phone. */
export function intentUrl(address: string): string {
  const url = new URL(address);
  const scheme = url.protocol.slice(0, -1);
  const fallback = encodeURIComponent(address);
  return `intent://${url.host}${url.pathname}${url.search}${url.hash}#Intent;scheme=${scheme};action=android.intent.action.VIEW;S.browser_fallback_url=${fallback};end`;
}

/** What the browser lacks for a call. */
export type Lack =
  | { kind: 'in_app'; app: string }
  /** Neither calls nor sound. */
  | { kind: 'too_old' }
  /** No TLS: browsers hide camera and microphone. */
  | { kind: 'insecure' };

interface Abilities {
  userAgent: string;
  hasWebRtc: boolean;
  hasGetUserMedia: boolean;
  isSecure: boolean;
}

/** @returns null if a video call is possible */
export function lackOf({ userAgent, hasWebRtc, hasGetUserMedia, isSecure }: Abilities): Lack | null {
  if (hasWebRtc && hasGetUserMedia) return null;
  const app = inAppBrowser(userAgent);
  if (app !== null) return { kind: 'in_app', app };
  return hasWebRtc && !isSecure ? { kind: 'insecure' } : { kind: 'too_old' };
}
