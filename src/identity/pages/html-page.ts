import type { Response } from 'express';
import type { MailLanguage } from '../../tenancy/mail/mail-language';

const STYLE = `:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{margin:0;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:24rem;margin:10vh auto 0}
h1{font-size:1.5rem;line-height:1.25}
label{display:block;margin-bottom:.375rem;font-weight:600}
input,button{box-sizing:border-box;width:100%;font:inherit;padding:.75rem;border-radius:.5rem;border:1px solid #767b85}
a:active{color:LinkText}
#rule{margin:.75rem 0 0}
button{margin-top:1.5rem;border:0;background:#2563eb;color:#fff;font-weight:600;cursor:pointer}
.problem{border-left:.25rem solid #d92d20;padding-left:.75rem}`;

/** HTML of a page that a mailed link opens, without scripts, so that it works in any browser. */
export function htmlPage(language: MailLanguage, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

/** A paragraph that tells what went wrong. */
export const pageProblem = (text: string) => `<p role="alert" class="problem">${text}</p>`;

/** Sends a page whose URL contains a token: keeps it out of caches and Referer headers. */
export function sendHtmlPage(response: Response, status: number, html: string): void {
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .type('html')
    .send(html);
}
