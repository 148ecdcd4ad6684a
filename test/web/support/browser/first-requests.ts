import type { Page } from 'playwright-core';
import { loadPage } from '../pages/load-page';

/** What the document of a page names: scripts, modules to load beside them, and styles. */
export interface NamedFiles {
  modules: string[];
  /** How often the page has requested each file. */
  requests: Map<string, number>;
}

const FILES = /(?:src|href)="(\/assets\/[^"]+)"/g;
const MODULES = /<link rel="modulepreload" href="([^"]+)"/g;

/**
 * Reloads a page that gets no files but those that its document names, and no answer of the API, until `ready` is done: what
 * `ready` waits for needs no request that begins after another one has been answered.
 */
export async function reloadWithoutWaterfall(page: Page, ready: () => Promise<unknown>): Promise<NamedFiles> {
  const html = await page.evaluate(async () => (await fetch(location.href)).text());
  const named = new Set(Array.from(html.matchAll(FILES), ([, path = '']) => path));
  const modules = Array.from(html.matchAll(MODULES), ([, path = '']) => path);
  const requests = new Map<string, number>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/(assets|api)\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
    if (!named.has(pathname)) await released;
    await route.continue();
  });
  try {
    await loadPage(page, () => {
      requests.clear();
      return page.reload();
    });
    await ready();
  } finally {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  }
  return { modules, requests };
}
