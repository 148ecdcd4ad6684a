import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { keepPicture } from './page-pictures';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const REPORTED = ['serious', 'critical'];
/** The width of a small phone, and of a window of 1,280 pixels at 400 % zoom (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };
/** A window of 1,280 pixels at 200 % zoom. */
const ZOOMED = { width: 640, height: 512 };

/**
 * Looks at screens with axe, in both colour schemes, and for content that is cut off or makes one scroll sideways. Keeps a
 * picture of each screen.
 */
export class BarrierCheck {
  /** One entry for each thing that is wrong, with its screen. */
  readonly found: string[] = [];

  reset(): void {
    this.found.length = 0;
  }

  async look(page: Page, screen: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (colorScheme === 'light') await keepPicture(page, screen);
      for (const finding of await runAxe(page)) this.found.push(`${screen}, ${colorScheme}: ${finding}`);
    }
    await page.emulateMedia({ colorScheme: null });
    const before = page.viewportSize();
    await page.setViewportSize(NARROW);
    await this.findOverflow(page, `${screen}, ${NARROW.width} pixels wide`);
    await page.setViewportSize(ZOOMED);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await this.findOverflow(page, `${screen}, text of twice the size`);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
    if (before) await page.setViewportSize(before);
  }

  private async findOverflow(page: Page, screen: string): Promise<void> {
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ? scrollWidth - clientWidth : 0;
    });
    if (overflow > 0) this.found.push(`${screen}: is ${overflow} pixels too wide`);
  }
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
