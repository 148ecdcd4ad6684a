import type { LinkAppointmentDto, LinkValidationDto } from '../calls/customer/public-call.dto';
import type { BrandColors } from './html/brand-colors';
import type { PageLanguage } from './html/page-language';

export interface PageError {
  code: string;
  detail: string;
  request_id: string;
  /** Of the answer, as in its header. */
  status: number;
  retry_after?: number;
  /** ISO 8601; of a link that is not valid yet. */
  valid_from?: string;
  /** Of a link that is not valid yet because its appointment is later. */
  appointment?: LinkAppointmentDto;
}

/** What a page's script reads from the HTML. `web/shared/page-data.ts` has the same fields. */
export interface PageData {
  token: string;
  language: PageLanguage;
  link: LinkValidationDto | null;
  error: PageError | null;
  /** Also of a link that is known but not valid. */
  company: { name: string; logo_url: string | null } | null;
  /** IANA zone of the opening hours. */
  timezone: string;
  colors: BrandColors;
  /** Origins that may show this page in a frame. */
  sites: string[];
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
