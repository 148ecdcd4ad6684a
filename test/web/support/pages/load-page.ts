import type { Page, Request } from 'playwright-core';
import { NETWORK_CHANGED } from '../browser/open-pages';

/**
 * Loads a page, and again while Chromium drops it or one of its files because another spec changed the network.
 * @param load for example `() => page.reload()`
 */
export async function loadPage(page: Page, load: () => Promise<unknown>): Promise<void> {
  let isDropped: boolean;
  const watch = (request: Request) => (isDropped ||= request.failure()?.errorText === NETWORK_CHANGED);
  page.on('requestfailed', watch);
  try {
    do {
      isDropped = false;
      await load().catch((error: Error) => {
        if (!error.message.includes(NETWORK_CHANGED)) throw error;
        isDropped = true;
      });
    } while (isDropped);
  } finally {
    page.off('requestfailed', watch);
  }
}
