import type { Response } from 'express';
import { contentSecurityPolicy } from './content-security-policy';

/** What a page may do, and which sites may show it in a frame. */
export interface PagePolicy {
  nonce: string;
  /** Besides the own origin. */
  frameAncestors: readonly string[] | 'none';
  images: readonly string[];
  /** The origin of the socket. */
  connections: readonly string[];
  scripts?: readonly string[];
  permissions: string;
  isHttps: boolean;
}

/** For calls: also in a frame, if its page allows it. */
export const CALL_PERMISSIONS = permissionsPolicy('self');

/** For pages without a call. */
export const NO_PERMISSIONS = permissionsPolicy('');

function permissionsPolicy(calls: 'self' | ''): string {
  const ofCalls = 'camera microphone display-capture autoplay fullscreen picture-in-picture screen-wake-lock';
  return [
    ...ofCalls.split(' ').map((name) => `${name}=(${calls})`),
    ...'geolocation payment usb serial hid midi'.split(' ').map((name) => `${name}=()`),
  ].join(',');
}

/**
 * Sends a page whose URL contains a token: keeps it out of caches, search engines and Referer headers. Helmet's headers
 * are set already.
 */
export function sendPage(response: Response, status: number, html: string, policy: PagePolicy): void {
  response.status(status).set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policyOf(policy),
    'Permissions-Policy': policy.permissions,
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
  });
  if (policy.frameAncestors === 'none') {
    response.set('X-Frame-Options', 'DENY');
  } else {
    // It knows one origin only; `frame-ancestors` says the same for all browsers that the pages run in.
    response.removeHeader('X-Frame-Options');
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  }
  response.type('html').send(html);
}

function policyOf({ nonce, frameAncestors, images, connections, scripts = [], isHttps }: PagePolicy): string {
  const policy = contentSecurityPolicy({
    'default-src': ['self'],
    'script-src': ['self', ...scripts],
    'style-src': ['self', `nonce-${nonce}`],
    'img-src': ['self', 'data:', 'blob:', ...images],
    'connect-src': ['self', ...connections],
    'media-src': ['self', 'blob:'],
    'worker-src': ['self', 'blob:'],
    'object-src': [],
    'base-uri': [],
    // Scripts send the forms. Before they run, a form must not put what was typed into an address.
    'form-action': [],
    'frame-ancestors': frameAncestors === 'none' ? [] : ['self', ...frameAncestors],
  });
  return isHttps ? `${policy};upgrade-insecure-requests` : policy;
}
