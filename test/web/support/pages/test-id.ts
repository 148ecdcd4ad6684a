import type { Locator, Page } from 'playwright-core';

/** How long a page may take for anything that a person waits for. Only to end a test: a busy machine is slow. */
export const PATIENCE_MS = 45_000;

/** Finds visible elements by their data-testid. */
export const byTestId = (page: Page | Locator, id: string): Locator =>
  page.locator(`[data-testid="${id}"]:visible`);

/** Waits until an element is visible. @returns it */
export async function waitForTestId(page: Page | Locator, id: string): Promise<Locator> {
  const found = byTestId(page, id);
  await found.first().waitFor({ timeout: PATIENCE_MS });
  return found;
}

/** Waits until no such element is visible. */
export async function waitUntilGone(page: Page | Locator, id: string): Promise<void> {
  await byTestId(page, id).first().waitFor({ state: 'hidden', timeout: PATIENCE_MS });
}
