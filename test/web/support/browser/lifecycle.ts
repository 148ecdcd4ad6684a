import type { Page } from 'playwright-core';

/**
 * Stops the scripts of the page, as a phone with a locked screen does: no timer runs, no message is answered. The debugger
 * does it, because Chromium freezes no page that it shows.
 * @returns how to wake the page up
 */
export async function freeze(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Debugger.enable');
  const paused = new Promise((resolve) => devtools.once('Debugger.paused', resolve));
  // Answered when the page is awake again.
  devtools.send('Runtime.evaluate', { expression: 'debugger' }).catch(() => undefined);
  await paused;
  return async () => {
    await devtools.send('Debugger.resume');
    await devtools.detach();
  };
}
