// npm run bench:page: the customer's page in Chromium on a slow phone: 150 ms round trip, 1.6 Mbit/s down, 750 kbit/s up,
// a quarter of the processor. Measures when the page is first painted and when its form can be used, with an empty cache,
// and the size of the scripts that are loaded until the customer is in the line, at the address of the link and at that of the
// panel of the widget, in the language with the longest texts. The exit status is 1 above the limits.
import pg from 'pg';
import { chromium } from 'playwright-core';
import { gzipSize, watchFiles } from './support/asset-size.mjs';
import { benchDatabase } from './support/database.mjs';
import { insertLinks } from './support/links.mjs';
import { isMissed, median, progress, report, row } from './support/report.mjs';
import { createTenant } from './support/seed-calls.mjs';
import { startService } from './support/service.mjs';

const RUNS = 7;
const MAX_PAINT_SECONDS = 1;
const MAX_USABLE_SECONDS = 2;
const MAX_SCRIPT_KB = 50.5;

const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;
const PHONE = { viewport: { width: 390, height: 780 }, locale: 'pt-BR' };
const LOCALES = ['pt-BR', 'en', 'es'];
/** What the addresses have in addition, by what is opened there. */
const ADDRESSES = { 'script until the line': '', 'script of the panel until the line': '?embed=1' };
const BROWSER = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const path = `/c/${await createLink()}`;
  const service = await startService(database.url, {
    PAGE_RATE_LIMIT: '100000000',
    PUBLIC_RATE_LIMIT: '100000000',
  });
  cleanups.push(service.stop);
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  cleanups.push(() => browser.close());
  const times = [];
  // The first run is not counted: the service reads its files and compiles its code.
  for (let run = 0; run <= RUNS; run++) {
    const measured = await openOnPhone(browser, service.url + path);
    progress(`painted after ${measured.paint.toFixed(0)} ms, usable after ${measured.usable.toFixed(0)} ms`);
    if (run > 0) times.push(measured);
  }
  const sizes = {};
  for (const [label, search] of Object.entries(ADDRESSES)) {
    sizes[label] = await largestScripts(browser, service.url + path + search);
  }
  const line = rowOf(times, sizes);
  report([line]);
  if (isMissed(line)) process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function createLink() {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { tenant } = await createTenant(client, 'bench');
  const [token] = await insertLinks(client, tenant.id, 1);
  await client.end();
  return token;
}

/** @returns milliseconds from the navigation until the first content is painted, and until the script has the form */
async function openOnPhone(browser, url) {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(noteWhenReady);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(url);
    await page.waitForFunction(() => globalThis.readyAt !== undefined);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const name = page.getByTestId('join-name');
    await name.pressSequentially('Ana');
    if ((await name.inputValue()) !== 'Ana') throw new Error('The form does not take what is typed');
    return await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      usable: globalThis.readyAt,
    }));
  } finally {
    await context.close();
  }
}

/** Runs in the page before its scripts: they set `data-ready` when they have taken over the form. */
function noteWhenReady() {
  const observer = new MutationObserver(() => {
    if (document.documentElement.dataset.ready !== 'true') return;
    globalThis.readyAt = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { attributes: true, subtree: true, attributeFilter: ['data-ready'] });
}

/** @returns kilobytes of the scripts that the page loads until the customer is in the line, in the language with the most */
async function largestScripts(browser, url) {
  const sizes = [];
  for (const locale of LOCALES) {
    const scripts = await scriptsUntilLine(browser, url, locale);
    progress(`${url}, ${locale}:`);
    for (const { name, bytes } of scripts) {
      progress(`${(bytes / 1000).toFixed(1).padStart(6)} kB gzip  ${name}`);
    }
    sizes.push(scripts.reduce((sum, { bytes }) => sum + bytes, 0));
  }
  return Math.max(...sizes) / 1000;
}

/** @returns the scripts that the page loads until the answer to the join, with their sizes in bytes by gzip */
async function scriptsUntilLine(browser, url, locale) {
  const context = await browser.newContext({ ...PHONE, locale });
  try {
    const page = await context.newPage();
    const names = watchFiles(page, ['script']);
    await page.goto(url);
    await page.locator('[data-ready]').waitFor({ state: 'attached' });
    await page.getByTestId('join-name').fill('Ana');
    const joined = page.waitForResponse((response) => response.url().endsWith('/join'));
    await page.getByTestId('join-submit').click();
    await joined;
    const scripts = [...names].map((name) => ({ name, bytes: gzipSize(name) }));
    await page.getByTestId('queue-position').waitFor();
    return scripts;
  } finally {
    await context.close();
  }
}

function check(label, value, unit, target) {
  return { label, value, unit, target, better: 'lower' };
}

function rowOf(times, sizes) {
  const paint = median(times.map((time) => time.paint)) / 1000;
  const usable = median(times.map((time) => time.usable)) / 1000;
  return row({
    name: 'page',
    value: paint,
    unit: 's',
    checks: [
      check('first paint', paint, 's', MAX_PAINT_SECONDS),
      check('form usable', usable, 's', MAX_USABLE_SECONDS),
      ...Object.entries(sizes).map(([label, kilobytes]) => check(label, kilobytes, 'kB', MAX_SCRIPT_KB)),
    ],
  });
}
