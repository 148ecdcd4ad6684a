import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { findWeakButtons } from './button-contrast';
import { findCutOff } from './cut-off';
import { noteLook } from './looked-at';
import { keepPicture } from './page-pictures';

declare global {
  /** The library, in the page. */
  var axe: { run(options: object): Promise<AxeResults> };
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const REPORTED = ['serious', 'critical'];
/** The rules that depend on the colour scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
/** The width of a small phone, and of a window of 1,280 pixels at 400 % zoom (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 };
/** A window of 1,280 pixels at 200 % zoom. */
const ZOOMED = { width: 640, height: 512 };

/**
 * Looks at screens, and at the frames in them, with axe and at the states of buttons in both colour schemes, and in narrow
 * windows and with large text for controls that are cut off and content that makes one scroll sideways. Keeps a picture of each
 * screen.
 */
export class BarrierCheck {
  /** One entry for each thing that is wrong, with its screen. */
  readonly found: string[] = [];

  reset(): void {
    this.found.length = 0;
  }

  async look(page: Page, screen: string): Promise<void> {
    await noteLook(page);
    const frames = await shownFrames(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (colorScheme === 'light') await keepPicture(page, screen);
      for (const frame of frames) {
        for (const finding of await runAxe(frame, colorScheme))
          this.found.push(`${screen}, ${colorScheme}: ${finding}`);
      }
      for (const button of await findWeakButtons(page, frames))
        this.found.push(`${screen}, ${colorScheme}: ${button}`);
    }
    await page.emulateMedia({ colorScheme: null });
    const before = page.viewportSize();
    await page.setViewportSize(NARROW);
    await nextFrames(page);
    for (const frame of frames) await this.findCutOff(frame, `${screen}, ${NARROW.width} pixels wide`);
    await page.setViewportSize(ZOOMED);
    for (const frame of frames) {
      await setTextSize(frame, '200%');
      await nextFrames(page);
      await this.findCutOff(frame, `${screen}, text of twice the size`);
      await setTextSize(frame, '');
    }
    if (before) await page.setViewportSize(before);
  }

  private async findCutOff(frame: Frame, screen: string): Promise<void> {
    const overflow = await frame.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ? scrollWidth - clientWidth : 0;
    });
    if (overflow > 0) this.found.push(`${screen}: is ${overflow} pixels too wide`);
    for (const control of await findCutOff(frame)) this.found.push(`${screen}: ${control}`);
  }
}

async function shownFrames(page: Page): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (const frame of page.frames()) {
    const isShown = frame === page.mainFrame() || (await (await frame.frameElement()).isVisible());
    if (isShown) frames.push(frame);
  }
  return frames;
}

/** Lists that float beside their field follow it in the next frame. */
const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const setTextSize = (frame: Frame, size: string) =>
  frame.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);

async function runAxe(frame: Frame, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // Not a script element, which the Content Security Policy of the page forbids.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(AXE);
  const options = {
    // Each frame is asked itself.
    iframes: false,
    // Nobody reads what is in order.
    resultTypes: ['violations'],
    ...(colorScheme === 'dark' && { runOnly: OF_COLOURS }),
  };
  const { violations } = await frame.evaluate(async (given) => {
    return axe.run(given);
  }, options);
  return violations
    .filter(({ impact }) => REPORTED.includes(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html} ${failureSummary}`),
    );
}
