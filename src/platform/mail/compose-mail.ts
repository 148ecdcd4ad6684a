import { toSingleLine } from '../text/single-line';
import { buttonColours } from './button-colours';
import { type MailContent, renderHtml } from './mail-html';
import { LAYOUT_TEXTS, type MailLanguage } from './mail-language';
import { parseHttpUrl } from './parse-http-url';

/** The company that a message is sent for; fields are named as the tenant's columns. */
export interface MailBrand {
  name: string;
  primary_color: string;
  logo_url: string | null;
}

export interface MailDraft {
  language: MailLanguage;
  brand: MailBrand;
  /** The host of the service, by which recipients recognise who sent the message for the company. */
  service: string;
  subject: string;
  /** Plain text; line breaks within a paragraph are removed. */
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
 * Renders the message as text and as HTML with the same content. Nothing in the draft is treated as markup.
 * Only absolute http and https URLs become a link or a logo; another link is shown as text, another logo is
 * left out.
 */
export function composeMail(draft: MailDraft): ComposedMail {
  const content = contentOf(draft);
  return { subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function contentOf({
  language,
  brand,
  service,
  subject,
  paragraphs,
  action,
  footnote,
}: MailDraft): MailContent {
  const texts = LAYOUT_TEXTS[language];
  const company = toSingleLine(brand.name);
  const url = parseHttpUrl(action?.url);
  return {
    language,
    company,
    logo: parseHttpUrl(brand.logo_url),
    button: buttonColours(brand.primary_color),
    subject: toSingleLine(subject),
    paragraphs: paragraphs.map(toSingleLine),
    ...(action && {
      action: { label: toSingleLine(action.label), address: url ?? toSingleLine(action.url), url },
    }),
    copyLinkHint: texts.copyLinkHint,
    closing: [...(footnote ? [toSingleLine(footnote)] : []), texts.automaticNotice(company, service)],
  };
}

function renderText({ paragraphs, action, closing }: MailContent): string {
  const link = action ? [`${action.label}:\n${action.address}`] : [];
  return `${[...paragraphs, ...link, ...closing].join('\n\n')}\n`;
}
