import type { TestApp } from '../test-app';

/** A page as a browser gets it. */
export interface Page {
  status: number;
  headers: Headers;
  html: string;
  /** The HTML of the application's element. */
  content: string;
  /** What the script reads. */
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

const CONTENT =
  /<div id="app">([^]*)<\/div>\n<script type="application\/json" id="page-data">([^]*?)<\/script>/;

/** @throws if the response is not a page */
export async function openPage(
  { url }: Pick<TestApp, 'url'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Page> {
  const response = await fetch(url + path, { headers: { 'accept-language': 'en', ...headers } });
  const html = await response.text();
  const [, content, data] = CONTENT.exec(html) ?? [];
  if (content === undefined || data === undefined) throw new Error(`${path} is not a page: ${html}`);
  return { status: response.status, headers: response.headers, html, content, data: JSON.parse(data) };
}

/** The sources of a directive of the page's Content-Security-Policy. */
export function policyOf({ headers }: Pick<Page, 'headers'>, directive: string): string[] | undefined {
  const directives = (headers.get('content-security-policy') ?? '').split(';');
  return directives
    .find((text) => text.startsWith(`${directive} `))
    ?.split(' ')
    .slice(1);
}

/** The visible text of HTML. */
export const visibleText = (html: string): string =>
  html
    .replace(/<head>[^]*<\/head>|<[^>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', `'`)
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
