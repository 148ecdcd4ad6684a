/** What the server writes into the HTML of a page. */
export interface PageData {
  /** The token of the link; empty in the console. */
  token: string;
  language: 'pt' | 'en' | 'es';
  /** What validating the link answers; null if it is not valid. */
  link: LinkValidation | null;
  /** `valid_from` (ISO 8601) and `appointment`: only of `link_not_yet_valid`. */
  error: {
    code: string;
    detail: string;
    request_id: string;
    status: number;
    /** Seconds to wait before the next attempt, if the service said so. */
    retry_after?: number;
    valid_from?: string;
    appointment?: LinkAppointment;
  } | null;
  /** Also set if the link is known but not valid. */
  company: { name: string; logo_url: string | null } | null;
  /** IANA time zone of the opening hours. */
  timezone: string;
  /** `#rrggbb`: a colour for buttons and links, and that of the text on it; for the light and the dark scheme. */
  colors: { accent: string; on_accent: string; accent_dark: string; on_accent_dark: string };
  /** Origins that may show this page in a frame. */
  sites: string[];
  grace_seconds: number;
  absence_seconds: number;
  /** Of the build of the pages. */
  version: string;
}

export interface LinkAppointment {
  /** ISO 8601. */
  starts_at: string;
  ends_at: string;
  title: string | null;
  agent_name: string;
}

export interface LinkValidation {
  valid: boolean;
  department_name: string;
  company_name: string;
  company_logo_url: string | null;
  primary_color: string;
  queue_size: number;
  /** Seconds, for a customer who joins now. */
  estimated_wait_time: number;
  estimated_wait_range: { low: number; high: number } | null;
  has_estimate?: boolean;
  online_agents: number;
  open: boolean;
  /** ISO 8601; null while it is open, or if it never opens. */
  opens_at: string | null;
  /** ISO 8601: the end of the period that is open, or of the next one; null if it never closes, or never opens. */
  closes_at: string | null;
  /** Of the link of an appointment. */
  appointment: LinkAppointment | null;
  /** The customer of the appointment, who need not type the name. */
  customer_name: string | null;
  /** Where the company says how it uses personal data, and what it says here; null for nothing. */
  privacy_url: string | null;
  privacy_text: string | null;
  /** What the department says while it is closed; null for nothing. */
  closed_message: string | null;
  callback_enabled: boolean;
  /** IANA time zone of the opening hours. */
  timezone: string;
}

/** The data in the HTML of a page, by default this one. @throws if there is none */
export function readPageData(page: Document = document): PageData {
  const text = page.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no data');
  return JSON.parse(text) as PageData;
}
