import { buttonColours } from './button-colours';
import { type MailContent, renderHtml } from './mail-html';
import { LAYOUT_TEXTS, type MailLanguage } from './mail-language';
import { oneLine } from '../text/one-line';
import { parseHttpUrl } from './parse-http-url';

/** The company in whose name a message is sent, with fields named as those of its row. */
export interface MailBrand {
  name: string;
  primary_color: string;
  logo_url: string | null;
}

export interface MailDraft {
  language: MailLanguage;
  brand: MailBrand;
  subject: string;
  /** Plain text; each is one line, however many its data had. */
  paragraphs: string[];
  action?: { label: string; url: string };
  footnote?: string;
}

export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/**
 * The message in both forms, which say the same. Nothing in the draft is taken for markup, and only
 * absolute http and https addresses become a link or a logo: any other is shown as text, or left out.
 */
export function composeMail(draft: MailDraft): ComposedMail {
  const page = contentOf(draft);
  return { subject: page.subject, text: renderText(page), html: renderHtml(page) };
}

function contentOf({ language, brand, subject, paragraphs, action, footnote }: MailDraft): MailContent {
  const words = LAYOUT_TEXTS[language];
  const company = oneLine(brand.name);
  const url = parseHttpUrl(action?.url);
  return {
    language,
    company,
    logo: parseHttpUrl(brand.logo_url),
    button: buttonColours(brand.primary_color),
    subject: oneLine(subject),
    paragraphs: paragraphs.map(oneLine),
    ...(action && { action: { label: oneLine(action.label), address: url ?? oneLine(action.url), url } }),
    copyAddress: words.copyAddress,
    closing: [...(footnote ? [oneLine(footnote)] : []), words.automatic(company)],
  };
}

function renderText({ paragraphs, action, closing }: MailContent): string {
  const link = action ? [`${action.label}:\n${action.address}`] : [];
  return `${[...paragraphs, ...link, ...closing].join('\n\n')}\n`;
}
