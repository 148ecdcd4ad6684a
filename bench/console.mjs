// npm run bench:console: the console in Chromium with an empty cache: the sizes of the scripts and styles until the live line
// is there, the time of that, and how long a list of 100,000 calls takes to show rows at places that it is scrolled to. The
// exit status is 1 above the limits.
import { chromium } from 'playwright-core';
import { gzipSize, watchFiles } from './support/asset-size.mjs';
import { benchDatabase } from './support/database.mjs';
import { isMissed, median, progress, report, row } from './support/report.mjs';
import { seedCalls } from './support/seed-calls.mjs';
import { startService } from './support/service.mjs';

const CALLS = 100_000;
const RUNS = 5;
/** Parts of the list: beginning, middle, end and between. */
const PLACES = [0.5, 0.99, 0.1, 0.75, 0.33, 0.9, 0.02];
const MAX_SCRIPT_KB = 252;
const MAX_STYLE_KB = 40;
const MAX_LINE_SECONDS = 2;
const MAX_ROWS_SECONDS = 0.5;
const BROWSER = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: 'pt-BR' };

const database = await benchDatabase();
const cleanups = [database.stop];
try {
  const { tenant, email, password } = await seedCalls(database.url, CALLS);
  const service = await startService(database.url, { AUTH_RATE_LIMIT: '100000000' });
  cleanups.push(service.stop);
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  cleanups.push(() => browser.close());
  const context = await browser.newContext(DESKTOP);
  const page = await context.newPage();
  await logIn(page, service.url, { slug: tenant.slug, email, password });
  const state = await context.storageState();
  await context.close();
  const loads = [];
  for (let run = 0; run <= RUNS; run++) loads.push(await openLine(browser, service.url, state));
  const list = await scrollCalls(browser, service.url, state);
  const line = rowOf(loads.slice(1), list);
  report([line]);
  if (isMissed(line)) process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function logIn(page, url, { slug, email, password }) {
  await page.goto(`${url}/console`);
  await page.getByTestId('login-tenant').fill(slug);
  await page.getByTestId('login-email').fill(email);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
  await page.getByTestId('queue-empty').waitFor();
}

/** @returns seconds until the live line is there, and the kilobytes by gzip that were loaded until then */
async function openLine(browser, url, storageState) {
  const context = await browser.newContext({ ...DESKTOP, storageState });
  try {
    const page = await context.newPage();
    const scripts = watchFiles(page, ['script']);
    const styles = watchFiles(page, ['stylesheet']);
    const began = performance.now();
    await page.goto(`${url}/console`);
    await page.getByTestId('queue-empty').waitFor();
    const seconds = (performance.now() - began) / 1000;
    return { seconds, script: kilobytes(scripts), style: kilobytes(styles) };
  } finally {
    await context.close();
  }
}

function kilobytes(paths) {
  return [...paths].reduce((sum, path) => sum + gzipSize(path), 0) / 1000;
}

/** @returns the seconds that rows took at each place of the list, and how many rows the page holds at most */
async function scrollCalls(browser, url, storageState) {
  const context = await browser.newContext({ ...DESKTOP, storageState });
  try {
    const page = await context.newPage();
    await page.goto(`${url}/console/calls`);
    const table = page.getByRole('table');
    await table.getByRole('link').first().waitFor();
    const seconds = [];
    let rows = 0;
    for (const place of PLACES) {
      const began = performance.now();
      await table.evaluate((element, part) => element.scrollTo({ top: element.scrollHeight * part }), place);
      await page.waitForFunction(hasRowsInView);
      seconds.push((performance.now() - began) / 1000);
      rows = Math.max(rows, await table.getByRole('row').count());
      progress(`rows at ${place * 100} % of the list after ${(seconds.at(-1) * 1000).toFixed(0)} ms`);
    }
    return { seconds, rows };
  } finally {
    await context.close();
  }
}

/** Runs in the page: whether all rows in the middle of the list's window are loaded. */
function hasRowsInView() {
  const table = document.querySelector('[role=table]');
  const { top, bottom } = table.getBoundingClientRect();
  const middle = [...table.querySelectorAll('.body [role=row]')].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.top > top + 60 && box.bottom < bottom;
  });
  return middle.length > 5 && middle.every((element) => element.querySelector('a'));
}

function check(label, value, unit, target) {
  return { label, value, unit, target, better: 'lower' };
}

function rowOf(loads, { seconds, rows }) {
  const line = median(loads.map((load) => load.seconds));
  return row({
    name: 'console',
    value: line,
    unit: 's',
    checks: [
      check('line shown', line, 's', MAX_LINE_SECONDS),
      check('script until the line', median(loads.map(({ script }) => script)), 'kB', MAX_SCRIPT_KB),
      check('styles until the line', median(loads.map(({ style }) => style)), 'kB', MAX_STYLE_KB),
      check(`rows of ${CALLS} calls`, median(seconds), 's', MAX_ROWS_SECONDS),
      check('rows in the page', rows, '', 60),
    ],
  });
}
