import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { PATIENCE_MS } from '../pages/test-id';
import { sharedServers } from '../shared-servers';
import { recordPeerConnections } from './peer-connections';
import { leaveSoundAsItIs, recordPlayers } from './sound';
import { type ExpectedRefusal, UnexpectedRefusals } from './unexpected-refusals';

declare global {
  var onTestFailure: ((name: string) => Promise<void>) | undefined;
}

interface OpenPage {
  name: string;
  page: Page;
  problems: string[];
  messages: string[];
}

/** The beginning of a message tells what it is. */
const MAX_MESSAGE_LENGTH = 300;
/** A site that may not frame the page gets a message about frame-ancestors, as it should. */
const BROKEN_POLICY = /Content Security Policy(?!.*frame-ancestors)/s;
/** What Chromium itself writes about requests: `UnexpectedRefusals` reads their answers instead. */
const FAILED_REQUEST = /^(Failed to load resource|WebSocket connection to)/;
const MISSING_MODULE = /^TypeError: Failed to fetch dynamically imported module/;
/** What Chromium says of requests that it drops when an interface comes or goes: those of the namespaces of other specs. */
export const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED';
const DEVICES = ['camera', 'microphone'];

/**
 * Opens pages in contexts of their own, which are closed after each test of the describe block. A page that throws an
 * error, or breaks its Content Security Policy, or a page of the console that writes an error, fails the test. So does a
 * request that the service refuses as `UnexpectedRefusals` describes. The pages of a failed test are saved.
 */
export function openPages() {
  const pages: OpenPage[] = [];
  const contexts: BrowserContext[] = [];
  let refusals = new UnexpectedRefusals();
  let mayLackModules = false;

  beforeEach(() => {
    refusals = new UnexpectedRefusals();
    mayLackModules = false;
    globalThis.onTestFailure = (test) => savePages(test, pages);
  });

  afterEach(async () => {
    globalThis.onTestFailure = undefined;
    const problems = pages.splice(0).flatMap((page) => page.problems);
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect([...problems, ...refusals.problems()]).toEqual([]);
  });

  return {
    /** Lets the service answer so in this test, which fails if it does not. */
    expectRefusal(refusal: ExpectedRefusal): void {
      refusals.expect(refusal);
    },

    /** Lets modules be missing in this test, as in a console that is older than the service. */
    expectMissingModules(): void {
      mayLackModules = true;
    },

    /** Lets the service restart in this test. A page may ask it for something while it starts, or not. */
    expectRestart(): void {
      refusals.mayRestart = true;
    },

    /**
     * Opens an empty page with the permission for cameras and microphones. Nothing moves in it: without a GPU, an animation
     * takes a quarter of a core.
     */
    async open(browser: Browser, name: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({
        permissions: DEVICES,
        reducedMotion: 'reduce',
        locale: 'en-US',
        ...options,
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      await recordPeerConnections(context);
      await recordPlayers(context);
      await leaveSoundAsItIs(context);
      return this.openTab(context, name);
    },

    /** Opens one more page in a context. */
    async openTab(context: BrowserContext, name: string): Promise<Page> {
      const page = await context.newPage();
      refusals.watch(page, name);
      pages.push(watch(page, name, () => mayLackModules));
      return page;
    },
  };
}

function watch(page: Page, name: string, mayLackModules: () => boolean): OpenPage {
  const problems: string[] = [];
  const messages: string[] = [];
  const record = (kind: string, text: unknown) =>
    messages.push(`${new Date().toISOString()} ${kind} ${String(text).slice(0, MAX_MESSAGE_LENGTH)}`);
  let isNetworkChanged = false;
  page.on('requestfailed', (request) => {
    isNetworkChanged ||= request.failure()?.errorText === NETWORK_CHANGED;
  });
  page.on('pageerror', (error) => problems.push(`${name}: ${error.stack || String(error)}`));
  page.on('console', (message) => {
    record(message.type(), message.text());
    const isExpected = (mayLackModules() || isNetworkChanged) && MISSING_MODULE.test(message.text());
    if (BROKEN_POLICY.test(message.text()) || (!isExpected && isError(page, message)))
      problems.push(`${name}: ${message.text()}`);
  });
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => record('>', payload));
    socket.on('framereceived', ({ payload }) => record('<', payload));
  });
  return { name, page, problems, messages };
}

/** The console writes no errors. The browser itself writes some about requests that fail, as tests want them to. */
const isError = (page: Page, message: ConsoleMessage): boolean =>
  message.type() === 'error' &&
  new URL(page.url()).pathname.startsWith('/console') &&
  !FAILED_REQUEST.test(message.text());

/** Writes the screens and messages of the pages and the service's log to a folder, and prints its path. */
async function savePages(test: string, pages: OpenPage[]): Promise<void> {
  const folder = mkdtempSync(process.env.WEB_TEST_FAILURES ?? '');
  for (const { name, page, messages } of pages) {
    writeFileSync(join(folder, `${name}.txt`), [page.url(), ...messages].join('\n'));
    await page.screenshot({ path: join(folder, `${name}.png`), timeout: 5_000 }).catch(() => undefined);
  }
  copyFileSync(sharedServers().logFile, join(folder, 'service.log'));
  process.stderr.write(`${test}: its screens and the service's log are in ${folder}\n`);
}
