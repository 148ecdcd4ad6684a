import type { ButtonColours } from './button-colours';
import { escapeHtml } from './escape-html';
import type { MailLanguage } from './mail-language';

/** The content of a message. Each text is one line and not escaped yet. */
export interface MailContent {
  language: MailLanguage;
  company: string;
  /** Absolute http or https URL. */
  logo: string | undefined;
  button: ButtonColours;
  subject: string;
  paragraphs: string[];
  /** `url` is undefined if the address must not become a link. */
  action?: { label: string; address: string; url: string | undefined };
  copyLinkHint: string;
  closing: string[];
}

const FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const WRAP = 'word-break:break-word;overflow-wrap:anywhere';
const WIDTH = 560;

/**
 * Colours for mail clients with a dark mode, and a light background for logos. All other styles are inline,
 * since some clients drop style sheets.
 */
const DARK_MODE_CSS = `@media (prefers-color-scheme:dark){
.page{background:#111214!important}
.card{background:#1d1f23!important;border-color:#34373d!important}
.text{color:#f1f2f4!important}
.faint{color:#b3b8c2!important}
.link{color:#8ab4ff!important}
.logo{background:#ffffff!important;padding:8px!important;border-radius:8px!important}
}`;

/** The message as HTML for mail clients: one column, inline styles, tables only where Outlook needs them. */
export function renderHtml(content: MailContent): string {
  return `<!doctype html>
<html lang="${content.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
${DARK_MODE_CSS}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f3f5">
${preheader(content)}
<div class="page" lang="${content.language}" style="background:#f2f3f5;padding:24px 12px">
${forOutlook(`<table role="presentation" align="center" width="${WIDTH}"><tr><td>`)}
<div class="card" style="max-width:${WIDTH}px;margin:0 auto;background:#ffffff;border:1px solid #e0e3e8;border-radius:12px">
<div style="padding:28px 24px;${FONT};${WRAP}">
${[heading(content), ...content.paragraphs.map(paragraph), ...action(content), ...content.closing.map(smallPrint)].join('\n')}
</div>
</div>
${forOutlook('</td></tr></table>')}
</div>
</body>
</html>
`;
}

/** The hidden text that message lists show after the subject. */
function preheader({ paragraphs: [first = ''] }: MailContent): string {
  const hidden = 'display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all';
  return `<div style="${hidden}">${escapeHtml(first)}</div>`;
}

function heading({ company, logo }: MailContent): string {
  const name = escapeHtml(company);
  const style = 'margin:0 0 24px;font-size:20px;line-height:28px;font-weight:600;color:#16181d';
  if (!logo) return `<p class="text" style="${style}">${name}</p>`;
  const size = 'display:block;height:40px;width:auto;max-width:100%;border:0';
  const image = `<img class="logo" src="${escapeHtml(logo)}" alt="${name}" height="40" style="${size}">`;
  return `<div class="text" style="${style}">${image}</div>`;
}

function paragraph(text: string): string {
  const style = 'margin:0 0 16px;font-size:16px;line-height:24px;color:#16181d';
  return `<p class="text" style="${style}">${escapeHtml(text)}</p>`;
}

function action(content: MailContent): string[] {
  if (!content.action) return [];
  const { label, address, url } = content.action;
  if (!url) return [paragraph(`${label}: ${address}`)];
  const link = `<a class="link" href="${escapeHtml(url)}" style="color:#1d4ed8">${escapeHtml(address)}</a>`;
  const style = 'margin:0 0 24px;font-size:14px;line-height:20px;color:#555b66';
  return [
    button(label, url, content.button),
    `<p class="faint" style="${style}">${escapeHtml(content.copyLinkHint)}<br>${link}</p>`,
  ];
}

/** A table cell, since Outlook ignores the padding of links. */
function button(label: string, url: string, { background, text }: ButtonColours): string {
  // The border keeps the button visible on a background of nearly the same colour.
  const cell = `background:${background};border:1px solid ${text};border-radius:8px`;
  const link = `display:inline-block;padding:12px 24px;${FONT};font-size:16px;line-height:24px;font-weight:600;color:${text};text-decoration:none`;
  return `<table role="presentation" cellspacing="0" cellpadding="0" border="0" style="margin:24px 0"><tr>
<td bgcolor="${background}" style="${cell}"><a href="${escapeHtml(url)}" style="${link}">${escapeHtml(label)}</a></td>
</tr></table>`;
}

function smallPrint(text: string): string {
  const style = 'margin:0 0 8px;font-size:14px;line-height:20px;color:#555b66';
  return `<p class="faint" style="${style}">${escapeHtml(text)}</p>`;
}

/** Markup for Outlook on Windows alone, which ignores max-width but evaluates conditional comments. */
function forOutlook(markup: string): string {
  return `<!--[if mso]>${markup}<![endif]-->`;
}
