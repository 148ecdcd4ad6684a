import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const REPORTED = ['serious', 'critical'];
/** The width of a small phone, and of a window of 1,280 pixels at 400 % zoom (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };

/** What axe finds on a page, and what is wrong with its layout in a narrow window. Empty if all is well. */
export async function findBarriers(page: Page, screen: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const finding of await runAxe(page)) found.push(`${screen}, ${colorScheme}: ${finding}`);
  }
  await page.emulateMedia({ colorScheme: null });
  return [...found, ...(await findOverflow(page, screen))];
}

async function runAxe(page: Page): Promise<string[]> {
  // Not a script element, which the Content Security Policy of the page forbids.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<AxeResults> } };
    return axe.run();
  });
  return violations
    .filter(({ impact }) => REPORTED.includes(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html} ${failureSummary}`),
    );
}

/** Finds content that a narrow window, or text of twice the size, cuts off or makes one scroll sideways for. */
async function findOverflow(page: Page, screen: string): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  await page.setViewportSize(NARROW);
  if (await overflows(page)) found.push(`${screen}: scrolls sideways at ${NARROW.width} pixels`);
  await page.setViewportSize({ width: 640, height: 640 });
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  if (await overflows(page)) found.push(`${screen}: scrolls sideways with text of twice the size`);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  if (before) await page.setViewportSize(before);
  return found;
}

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
