import { buttonColours } from './button-colours';
import { type MailPage, mailHtml } from './mail-html';
import { LAYOUT_WORDS, type MailLanguage } from './mail-language';
import { toSingleLine } from '../text/single-line';
import { webUrl } from './web-url';

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
  const page = pageOf(draft);
  return { subject: page.subject, text: mailText(page), html: mailHtml(page) };
}

function pageOf({ language, brand, subject, paragraphs, action, footnote }: MailDraft): MailPage {
  const words = LAYOUT_WORDS[language];
  const company = toSingleLine(brand.name);
  const url = webUrl(action?.url);
  return {
    language,
    company,
    logo: webUrl(brand.logo_url),
    button: buttonColours(brand.primary_color),
    subject: toSingleLine(subject),
    paragraphs: paragraphs.map(toSingleLine),
    ...(action && {
      action: { label: toSingleLine(action.label), address: url ?? toSingleLine(action.url), url },
    }),
    copyAddress: words.copyAddress,
    closing: [...(footnote ? [toSingleLine(footnote)] : []), words.automatic(company)],
  };
}

function mailText({ paragraphs, action, closing }: MailPage): string {
  const link = action ? [`${action.label}:\n${action.address}`] : [];
  return `${[...paragraphs, ...link, ...closing].join('\n\n')}\n`;
}
