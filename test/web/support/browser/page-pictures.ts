import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Git ignores it, and CI keeps it: how each page looked in this run. */
export const FOLDER = join(__dirname, '../../../../artifacts/web');

/** A page that goes on changing takes long on a busy machine. */
const TIMEOUT_MS = 30_000;

/** Keeps a picture of the whole page. @param screen what the page shows; the id of a page of the console for the page itself */
export async function keepPicture(page: Page, screen: string): Promise<void> {
  const path = join(FOLDER, `${appOf(page.url())}-${slugOf(screen)}.png`);
  // A header that stays in view would be in the middle of the picture.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path, fullPage: true, animations: 'disabled', timeout: TIMEOUT_MS });
}

/** Removes the pictures of earlier runs, which would hide that a page has none any more. */
export function removePictures(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** @param ids of the pages of the console. @throws if one has no picture: then no spec looks at it */
export function expectPictures(ids: readonly string[]): void {
  const missing = ids.filter((id) => !existsSync(join(FOLDER, `console-${id}.png`)));
  if (missing.length > 0)
    throw new Error(`No spec looks at these pages of the console with BarrierCheck: ${missing.join(', ')}`);
}

function appOf(url: string): string {
  const { pathname } = new URL(url);
  if (pathname.startsWith('/console')) return 'console';
  return pathname.startsWith('/c/') ? 'customer' : 'service';
}

const slugOf = (screen: string): string => screen.replaceAll(/[^a-z\d]+/gi, '-').toLowerCase();
