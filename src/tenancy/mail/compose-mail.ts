import { withoutInvisible } from '../../platform/text/invisible';
import { toSingleLine } from '../../platform/text/single-line';
import { buttonColours } from './button-colours';
import { type MailContent, renderHtml } from './mail-html';
import type { MailMessage } from '../../platform/mail/mailer';
import { LAYOUT_TEXTS, type MailLanguage } from './mail-language';
import { parseHttpUrl } from './parse-http-url';

/** The company that a message is sent for; fields are named as the tenant's columns. */
export interface MailBrand {
  name: string;
  primary_color: string;
  logo_url: string | null;
}

export interface MailDraft {
  /** The person, by the full name. Of it the mail shows firstName alone: strangers can choose it, and the address. */
  to: MailMessage['to'];
  language: MailLanguage;
  brand: MailBrand;
  /** The host of the service, by which recipients recognise who sent the message for the company. */
  service: string;
  subject: string;
  /** Plain text below the greeting; line breaks within a paragraph are removed. */
  paragraphs: string[];
  action?: { label: string; url: string };
  footnote?: string;
}

export type ComposedMail = Pick<MailMessage, 'to' | 'subject' | 'text' | 'html'>;

const MAX_NAME_LENGTH = 30;

/** Letters of any script with their marks; at most one hyphen and one apostrophe between them. */
const NAME = /^(?!.*-.*-)(?!.*['’].*['’])\p{L}\p{M}*(?:['’-]?\p{L}\p{M}*)*$/u;

/** In scripts without spaces between words, more letters than this can be a sentence. */
const UNSPACED =
  /(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*){9}/u;

/**
 * The first name in a name, for a greeting; undefined if it has other characters than letters or is too long. Otherwise
 * somebody could send any text to any address, as their name.
 */
export function firstName(name: string): string | undefined {
  const [first = ''] = name.normalize('NFC').trim().split(/\s+/u);
  const isName = NAME.test(first) && !UNSPACED.test(first) && first === withoutInvisible(first);
  return isName && [...first].length <= MAX_NAME_LENGTH ? first : undefined;
}

/**
 * Renders the message as text and as HTML with the same content. Nothing in the draft is treated as markup.
 * Only absolute http and https URLs become a link or a logo; another link is shown as text, another logo is
 * left out.
 */
export function composeMail(draft: MailDraft): ComposedMail {
  const content = contentOf(draft);
  const to = { name: firstName(draft.to.name) ?? '', address: draft.to.address };
  return { to, subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function contentOf({
  to,
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
    paragraphs: [texts.greeting(firstName(to.name)), ...paragraphs.map(toSingleLine)],
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
