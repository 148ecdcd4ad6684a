/* oxlint-disable unicorn/consistent-function-scoping -- The functions run in the page, which has nothing of this module. */
import type { CDPSession, Frame, Page } from 'playwright-core';

/** The states of a pointer or keyboard that styles can tell. A page in rest is looked at, too. */
const STATES = [[], ['hover'], ['focus', 'focus-visible'], ['hover', 'active', 'focus']];

/** What is drawn as a button or a link, as tag names and as roles. */
const TAGS = ['BUTTON', 'A', 'SUMMARY'];
const ROLES = ['button', 'link', 'tab', 'menuitem', 'option', 'switch'];

interface Node {
  nodeId: number;
  nodeName: string;
  attributes?: string[];
  children?: Node[];
  contentDocument?: Node;
}

/**
 * Finds the buttons whose text or picture is too weak on its background (WCAG 2.2, 1.4.3 and 1.4.11) while a pointer is on
 * them, while they are pressed, and while they have the focus.
 * @returns one entry for each button and state, in words
 */
export async function findWeakButtons(page: Page, frames: Frame[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
    const buttons = buttonsOf(root);
    const found: string[] = [];
    for (const state of STATES) {
      await force(session, buttons, state);
      for (const frame of frames) {
        for (const finding of await weakOf(frame))
          found.push(`${finding} [${state.join(', ') || 'in rest'}]`);
      }
    }
    await force(session, buttons, []);
    return found;
  } finally {
    await session.detach();
  }
}

function buttonsOf(node: Node): number[] {
  const attributes = node.attributes ?? [];
  const role = attributes[attributes.indexOf('role') + 1];
  const isButton =
    TAGS.includes(node.nodeName) || (attributes.includes('role') && ROLES.includes(role ?? ''));
  const inner = [...(node.children ?? []), ...(node.contentDocument ? [node.contentDocument] : [])];
  return [...(isButton ? [node.nodeId] : []), ...inner.flatMap(buttonsOf)];
}

async function force(session: CDPSession, buttons: number[], forcedPseudoClasses: string[]): Promise<void> {
  // A page that goes on has fewer of them.
  const force = (nodeId: number) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
  const results = await Promise.allSettled(buttons.map(force));
  const [first] = results;
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected'))
    throw first.reason;
}

function weakOf(frame: Frame): Promise<string[]> {
  const selector = [...TAGS, ...ROLES.map((role) => `[role="${role}"]`)].join();
  return frame.evaluate((shown) => {
    type Color = [number, number, number, number];
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) animation.finish();
    }
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const found: string[] = [];
    for (const button of document.querySelectorAll<HTMLElement>(shown)) {
      if (!isShown(button)) continue;
      for (const element of [button, ...button.querySelectorAll<HTMLElement>('*')]) {
        const needed = contrastNeeded(element);
        if (
          needed === undefined ||
          !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        )
          continue;
        const back = backgroundOf(element);
        const contrast = contrastOf(over(rgba(getComputedStyle(element).color), back), back);
        if (contrast < needed)
          found.push(`${nameOf(button)}: contrast ${contrast.toFixed(2)}, not ${needed}`);
      }
    }
    return found;

    function isShown(button: HTMLElement): boolean {
      const { width, height } = button.getBoundingClientRect();
      const isEnabled =
        button.closest(':disabled, [aria-disabled="true"], [data-disabled], [inert]') === null;
      return width > 1 && height > 1 && isEnabled;
    }

    /** @returns undefined for an element that draws nothing itself */
    function contrastNeeded(element: Element): number | undefined {
      if (element instanceof SVGElement) return element instanceof SVGSVGElement ? 3 : undefined;
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!hasText) return undefined;
      const { fontSize, fontWeight } = getComputedStyle(element);
      const size = Number.parseFloat(fontSize);
      return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    }

    function backgroundOf(element: Element): Color {
      const layers: Color[] = [];
      for (let node: Element | null = element; node !== null; node = node.parentElement) {
        const layer = rgba(getComputedStyle(node).backgroundColor);
        layers.push(layer);
        if (layer[3] === 1) break;
      }
      layers.push(rgba('Canvas'));
      // oxlint-disable-next-line unicorn/no-array-reduce
      return layers.reduceRight((below, above) => over(above, below));
    }

    function rgba(color: string): Color {
      if (!canvas) throw new Error('the browser draws on no canvas');
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    }

    function over([red, green, blue, alpha]: Color, below: Color): Color {
      const mix = (above: number, under: number) => above * alpha + under * (1 - alpha);
      return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
    }

    function contrastOf(first: Color, second: Color): number {
      const [light = 0, dark = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    }

    function luminance([red, green, blue]: Color): number {
      const linear = (value: number) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    }

    function nameOf(button: HTMLElement): string {
      const words = button.getAttribute('aria-label') ?? button.textContent?.trim().slice(0, 40);
      return `${button.tagName.toLowerCase()} ${button.dataset.testid ?? button.id} “${words}”`;
    }
  }, selector);
}
