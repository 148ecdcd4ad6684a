import { appendFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FOLDER } from './page-pictures';

const FILE = join(FOLDER, 'looked-at.txt');
const ROOT = join(__dirname, '../../../..');
/** `<Screen name="…">`: the screens that the code of the customer's page has. */
const SCREEN = /<Screen\s+name="(\w+)"/g;

const IN_CALL = '[data-screen="in_call"]';

/** What a customer meets inside the screens and beside them, and the element that shows it. */
const STATES = {
  'joining without an answer': '[data-screen="form"] [aria-busy="true"] .notice',
  'resuming without an answer': '[data-screen="resuming"] .notice',
  'the line without a connection': '[data-screen="waiting"] [data-testid="reconnecting"]',
  'the running device check': '[data-testid="device-check-panel"]',
  'the result of the device check': '[data-testid="device-check-panel"] .button-quiet',
  'the invitation to return': '[data-testid="callback-return"]',
  'refused devices when called': '[data-screen="called"] [data-testid="permission"]',
  'refused devices in the call': `${IN_CALL} [data-testid="permission"]`,
  'the chat': '.chat',
  'the menu of the call': '.more-menu',
  'the question for a recording': '[data-testid="recording-consent"]',
  'a running recording': '[data-testid="recording-notice"]',
  'sound that waits for a tap': `${IN_CALL} .banners > .button`,
  'a call without a connection': `${IN_CALL} [data-testid="reconnecting"]`,
  'a call whose agent is lost': '[data-testid="peer-lost"]',
  'the rating of a lost call': '[data-screen="rating"] [data-testid="start-over"]',
  'the browser of an app': '[data-screen="unsupported"] .steps',
  'a browser that is too old': '[data-screen="unsupported"]:not(:has(.steps))',
  "the widget's framed button": 'iframe.button:not(.waiting)',
  "the widget's link": 'a.link',
  "the widget's panel": 'dialog.panel[open]',
};

/** Notes what the page shows now. */
export async function noteLook(page: Page): Promise<void> {
  const seen = await page.evaluate((states) => {
    const roots = [
      document,
      ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []),
    ];
    const isShown = (selector: string) =>
      roots.some((root) => [...root.querySelectorAll(selector)].some((element) => element.checkVisibility()));
    const screens = [...document.querySelectorAll<HTMLElement>('main[data-screen]')];
    return [
      ...screens.map(({ dataset }) => `screen ${dataset.screen}`),
      ...Object.entries(states).flatMap(([name, selector]) => (isShown(selector) ? [name] : [])),
    ];
  }, STATES);
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(FILE, seen.map((name) => `${name}\n`).join(''));
}

/** @throws Error if the run has not looked at each screen of the customer's page with BarrierCheck, and at each state of them */
export function expectLooksAtCustomersPage(): void {
  const seen = new Set(readFileSync(FILE, 'utf8').split('\n'));
  const expected = [...screensInCode().map((name) => `screen ${name}`), ...Object.keys(STATES)];
  const missing = expected.filter((name) => !seen.has(name));
  if (missing.length > 0)
    throw new Error(`No spec looks at this of the customer's page with BarrierCheck: ${missing.join(', ')}`);
}

function screensInCode(): string[] {
  const names = globSync('web/customer/**/*.tsx', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(SCREEN)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}
