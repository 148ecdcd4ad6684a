import { escapeHtml } from '../../tenancy/mail/escape-html';
import type { PageFiles } from '../build/web-build';
import { type PageData, scriptJson } from '../page-data';
import type { BrandColors } from './brand-colors';

/** The product's icon: a camera in its colour. */
const DEFAULT_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2563eb"/>' +
    '<path fill="#fff" d="M6 11a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2zm16 4 4-3v8l-4-3z"/></svg>',
)}`;

/** Shows the way out of a page whose script does not arrive (`web/server/stalled-html.tsx`). */
const STALLED_STYLE =
  '.stalled{padding:1rem;text-align:center;visibility:hidden;animation:stalled 0s 12s forwards!important}' +
  '@keyframes stalled{to{visibility:visible}}';

export interface PageDocument {
  data: Partial<PageData> & Pick<PageData, 'language' | 'colors'>;
  /** The page and its previews in messengers have this title. */
  title: string;
  /** Whether browsers may offer to translate the page, which replaces its text nodes. */
  isTranslatable: boolean;
  iconUrl: string | null;
  files: PageFiles;
  nonce: string;
  /** HTML of the application's element: what is shown before the script runs. */
  content: string;
  noScript: string;
}

/** The HTML of a page. Texts are escaped here; `content` is HTML already. */
export function pageDocument({
  data,
  title,
  isTranslatable,
  iconUrl,
  files,
  nonce,
  content,
  noScript,
}: PageDocument): string {
  const name = escapeHtml(title);
  return `<!doctype html>
<html lang="${data.language}"${isTranslatable ? '' : ' translate="no"'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<title>${name}</title>
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta property="og:title" content="${name}">
<meta property="og:type" content="website">
<link rel="icon" href="${escapeHtml(iconUrl ?? DEFAULT_ICON)}">
${files.styles.map((href) => `<link rel="stylesheet" href="${href}">\n`).join('')}<style nonce="${nonce}">${colorStyle(data.colors)}${STALLED_STYLE}</style>
${files.scripts.map((src) => `<script type="module" src="${src}"></script>\n`).join('')}${files.imports.map((href) => `<link rel="modulepreload" href="${href}">\n`).join('')}</head>
<body>
<noscript><p>${escapeHtml(noScript)}</p></noscript>
<div id="app">${content}</div>
<script type="application/json" id="page-data">${scriptJson(data)}</script>
</body>
</html>
`;
}

function colorStyle({ accent, on_accent, accent_dark, on_accent_dark }: BrandColors): string {
  return (
    `:root{--accent:${accent};--on-accent:${on_accent};` +
    `--accent-dark:${accent_dark};--on-accent-dark:${on_accent_dark}}` +
    `@media(prefers-color-scheme:dark){:root{--accent:${accent_dark};--on-accent:${on_accent_dark}}}`
  );
}
