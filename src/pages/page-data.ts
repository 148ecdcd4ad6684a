import type { LinkValidationDto } from '../calls/customer/public-call.dto';

export const PAGE_LANGUAGES = ['pt', 'en', 'es'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** `#rrggbb`: a colour for buttons and links, and that of the text on it. */
export interface PageColors {
  accent: string;
  on_accent: string;
  accent_dark: string;
  on_accent_dark: string;
}

/** What a page's script reads from the HTML. */
export interface PageData {
  token: string;
  language: PageLanguage;
  link: (LinkValidationDto & { callback_enabled?: boolean; timezone?: string }) | null;
  error: { code: string; detail: string; request_id: string } | null;
  company: { name: string; logo_url: string | null } | null;
  timezone: string;
  colors: PageColors;
  grace_seconds: number;
  absence_seconds: number;
  version: string;
}

/** JSON for a script element: without characters that could end it or, in older browsers, break a script. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
