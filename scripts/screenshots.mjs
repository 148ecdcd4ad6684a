// Writes the pictures of the pages in docs/images, from the demo data of a service of its own: npm run docs:screenshots
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const repository = dirname(import.meta.dirname);
const PORT = '34711';
const MAX_BYTES = 100_000;
const PHONE = { width: 390, height: 760 };
const DESKTOP = { width: 1280, height: 800 };
const PASSWORD = 'demo-call-queue';
const CUSTOMER = { name: 'Helena Martins', reason: 'My new router does not connect.' };

const find = (page, id) => page.getByTestId(id).first();

const scratch = mkdtempSync(join(tmpdir(), 'video-queue-screenshots-'));
/** @type {(() => unknown)[]} */
const cleanups = [() => rmSync(scratch, { recursive: true, force: true })];

try {
  const link = await startService();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--allow-loopback-in-peer-connection',
    ],
  });
  cleanups.push(() => browser.close());
  await takePictures(browser, link);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

/** Starts the service with demo data in a new folder. @returns the demo link, as it prints it */
async function startService() {
  const child = spawn(process.execPath, [join('dist', 'src', 'main.js')], {
    cwd: repository,
    env: { ...process.env, PORT, HOST: '127.0.0.1', DATA_DIR: scratch, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  cleanups.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    const link = /http:\S+\/(?:c|call)\/([\w-]+)/.exec(output)?.[1];
    if (link && output.includes('owner@demo.example')) return `http://localhost:${PORT}/c/${link}`;
  }
  throw new Error(`The service did not start: ${output}`);
}

async function takePictures(browser, link) {
  const locale = 'en-US';
  const phone = await browser.newContext({
    viewport: PHONE,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale,
  });
  const customer = await phone.newPage();
  const desktop = await browser.newContext({ viewport: DESKTOP, locale });
  const agent = await desktop.newPage();

  await customer.goto(link);
  await find(customer, 'join-name').fill(CUSTOMER.name);
  await find(customer, 'join-reason').fill(CUSTOMER.reason);
  await save(customer, 'customer-form');
  await find(customer, 'join-submit').click();
  await find(customer, 'queue-position').waitFor();
  await save(customer, 'customer-waiting');

  await agent.goto(`http://localhost:${PORT}/console`);
  await find(agent, 'login-tenant').fill('demo');
  await find(agent, 'login-email').fill('attendant@demo.example');
  await find(agent, 'login-password').fill(PASSWORD);
  await find(agent, 'login-submit').click();
  await agent.getByTestId('queue-row').filter({ hasText: CUSTOMER.name }).getByTestId('answer').click();
  for (const page of [agent, customer]) await waitForVideo(page);
  await save(customer, 'customer-call');
  await save(agent, 'agent-call');
  await find(agent, 'complete').click();
  await find(customer, 'rating-5').waitFor();
}

/** Waits until the picture of the other side is shown. */
async function waitForVideo(page) {
  await page.waitForFunction(() => {
    const video = document.querySelector('[data-testid="remote-video"]');
    return video instanceof HTMLVideoElement && video.videoWidth > 0 && video.currentTime > 0.5;
  });
}

/** Saves a screen as WebP in the best quality that is small enough. */
async function save(page, name) {
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const file = join(repository, 'docs', 'images', `${name}.webp`);
  for (let quality = 90; quality >= 40; quality -= 10) {
    const { size } = await sharp(png)
      .resize({ width: 1280, withoutEnlargement: true })
      .webp({ quality })
      .toFile(file);
    if (size < MAX_BYTES) return console.log(`${name}.webp  ${size} bytes`);
  }
  throw new Error(`${name} has more than ${MAX_BYTES} bytes`);
}
