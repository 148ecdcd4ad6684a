/* oxlint-disable unicorn/consistent-function-scoping -- The functions run in the page, which has nothing of this module. */
import type { Frame } from 'playwright-core';

/**
 * Finds the controls and messages of a page that nobody can reach by scrolling, because they lie outside of the window or an element that
 * hides what is too large for it cuts them off.
 * @returns one entry for each, in words
 */
export function findCutOff(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    /** Pixels that rounding may cost. */
    const TOLERANCE = 1;
    const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const MESSAGES = '[role="alert"], [role="status"], .notice';
    const windowBox = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const modals = document.querySelectorAll('dialog:modal');
    const root = modals.item(modals.length - 1) ?? document;
    const found: string[] = [];
    for (const control of root.querySelectorAll<HTMLElement>(`${CONTROLS}, ${MESSAGES}`)) {
      if (!isShown(control)) continue;
      const scrolls = scrollPositions(control);
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      // Scripts can scroll what hides its overflow, people cannot.
      for (const { element, left, top, canScroll } of scrolls) {
        if (!canScroll) element.scrollTo({ left, top, behavior: 'instant' });
      }
      const missing = missingPart(control);
      if (missing) found.push(`${nameOf(control)} is cut off: ${missing}`);
      for (const { element, left, top } of scrolls) element.scrollTo({ left, top, behavior: 'instant' });
    }
    return found;

    /** Inputs that are drawn by their labels are as large as a pixel, or transparent. */
    function isShown(control: HTMLElement): boolean {
      const { width, height } = control.getBoundingClientRect();
      return (
        width > 1 &&
        height > 1 &&
        control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        control.closest('[inert], [aria-hidden="true"], .visually-hidden') === null
      );
    }

    function ancestorsOf(element: Element): HTMLElement[] {
      const ancestors: HTMLElement[] = [];
      let { position } = getComputedStyle(element);
      for (let node = element.parentElement; node !== null; node = node.parentElement) {
        const style = getComputedStyle(node);
        const holdsFixed = style.transform !== 'none' || style.filter !== 'none' || style.contain === 'paint';
        // An element is cut off by what it is placed in, not by what its tags stand in.
        if (position === 'fixed' && !holdsFixed) continue;
        if (position === 'absolute' && style.position === 'static' && !holdsFixed) continue;
        ancestors.push(node);
        ({ position } = style);
      }
      // The last one of a fixed element is not the page, which scrolls below it.
      if (position === 'fixed') ancestors.push(document.documentElement);
      return ancestors;
    }

    function scrollPositions(control: HTMLElement) {
      return ancestorsOf(control).map((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const isPage = element === document.documentElement || element === document.body;
        const canScroll = isPage || /auto|scroll/.test(overflowX + overflowY);
        return { element, left: element.scrollLeft, top: element.scrollTop, canScroll };
      });
    }

    /** @returns how much of the control cannot be seen; an empty text for nothing */
    function missingPart(control: HTMLElement): string {
      const box = control.getBoundingClientRect();
      const seen = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
      const size = { width: box.width, height: box.height };
      for (const node of ancestorsOf(control)) {
        if (node === document.documentElement || node === document.body) continue;
        const { overflowX, overflowY } = getComputedStyle(node);
        const { left, top } = node.getBoundingClientRect();
        const inner = { left: left + node.clientLeft, top: top + node.clientTop };
        if (overflowX !== 'visible') clip('left', 'right', 'width', inner.left, node.clientWidth, overflowX);
        if (overflowY !== 'visible') clip('top', 'bottom', 'height', inner.top, node.clientHeight, overflowY);
      }
      clip('left', 'right', 'width', windowBox.left, innerWidth, 'auto');
      clip('top', 'bottom', 'height', windowBox.top, innerHeight, 'auto');
      const lost = [
        ['width', size.width - (seen.right - seen.left)],
        ['height', size.height - (seen.bottom - seen.top)],
      ] as const;
      return lost
        .filter(([, pixels]) => pixels > TOLERANCE)
        .map(([side, pixels]) => `${Math.round(Math.min(pixels, size[side]))} pixels of its ${side}`)
        .join(', ');

      function clip(
        from: 'left' | 'top',
        to: 'right' | 'bottom',
        side: 'width' | 'height',
        start: number,
        length: number,
        overflow: string,
      ) {
        seen[from] = Math.max(seen[from], start);
        seen[to] = Math.min(seen[to], start + length);
        // What is larger than the area that it is scrolled in is seen part by part.
        if (/auto|scroll/.test(overflow)) size[side] = Math.min(size[side], length);
      }
    }

    function nameOf(control: HTMLElement): string {
      const { tagName, dataset, id } = control;
      const words = control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 40);
      return `${tagName.toLowerCase()} ${dataset.testid ?? id} “${words}”`;
    }
  });
}
