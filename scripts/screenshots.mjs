// Writes the pictures of the pages in docs/images, from the demo data of a service of its own: npm run docs:screenshots
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { startDemoService, untilWaitsAreKnown } from './screenshots/demo-service.mjs';
import { useDrawnCamera } from './screenshots/drawn-camera.mjs';

const repository = dirname(import.meta.dirname);
const MAX_BYTES = 100_000;
const PHONE = { width: 390, height: 760 };
const DESKTOP = { width: 1280, height: 800 };
const PASSWORD = 'demo-call-queue';
const LOCALE = 'en-US';
const FIRST_CUSTOMER = { name: 'Otto Brandt', reason: 'An invoice' };
const CUSTOMER = { name: 'Helena Martins', reason: 'My new router does not connect.' };

const AGENT_LOOK = {
  size: { width: 960, height: 720 },
  colors: { wall: '#cfdcf2', hair: '#3b2417', skin: '#d9a27c', shirt: '#1d4ed8' },
};
const CUSTOMER_LOOK = {
  size: { width: 540, height: 720 },
  colors: { wall: '#f1dfc4', hair: '#7c4a1e', skin: '#f0c3a0', shirt: '#15803d' },
};

const find = (page, id) => page.getByTestId(id).first();

const service = await startDemoService();
/** @type {(() => unknown)[]} */
const cleanups = [service.stop];

try {
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
  await takePictures(browser);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function takePictures(browser) {
  const agent = await signIn(await openAgent(browser));
  await untilWaitsAreKnown(service);
  const before = await openCustomer(browser);
  await fill(before, FIRST_CUSTOMER);
  await find(before, 'join-submit').click();
  await agent.getByTestId('queue-row').filter({ hasText: FIRST_CUSTOMER.name }).waitFor();
  const customer = await openCustomer(browser);
  await fill(customer, CUSTOMER);
  await save(customer, 'customer-form');
  await find(customer, 'join-submit').click();
  await find(customer, 'queue-wait').waitFor();
  await save(customer, 'customer-waiting');
  await agent.getByTestId('queue-row').filter({ hasText: CUSTOMER.name }).getByTestId('answer').click();
  for (const page of [agent, customer]) await waitForVideo(page);
  await save(customer, 'customer-call');
  await save(agent, 'console-call');
  await takeConsolePictures(await signIn(await openAgent(browser), 'owner'));
}

/** The other pages of the console, while a customer waits and another one is in a call. */
async function takeConsolePictures(page) {
  for (const name of ['wall', 'queue', 'appointments', 'links', 'reports', 'departments', 'calls']) {
    await open(page, find(page, `nav-${name}`));
    await save(page, `console-${name}`);
  }
  const row = page.getByRole('row').filter({ hasText: 'Completed' }).first();
  await open(page, row.getByRole('link').first());
  await save(page, 'console-call-details');
}

/** Opens another page of the console, and waits until it has its content. */
async function open(page, link) {
  const before = await page.locator('main h1').textContent();
  await link.click();
  await page.mouse.move(0, 0);
  await page.waitForFunction(isOther, before);
  await page.waitForLoadState('networkidle');
  // What was loaded is drawn.
  await page.waitForTimeout(500);
}

/** Runs in the page: whether it has another title than before, and nothing is being loaded. */
function isOther(before) {
  const title = document.querySelector('main h1')?.textContent ?? before;
  return title !== before && document.querySelector('.mantine-Skeleton-root') === null;
}

async function openCustomer(browser) {
  const context = await browser.newContext({
    viewport: PHONE,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: LOCALE,
  });
  await useDrawnCamera(context, CUSTOMER_LOOK);
  return context.newPage();
}

async function openAgent(browser) {
  const context = await browser.newContext({ viewport: DESKTOP, locale: LOCALE });
  await useDrawnCamera(context, AGENT_LOOK);
  return context.newPage();
}

async function signIn(agent, role = 'attendant') {
  await agent.goto(`${service.url}/console`);
  await find(agent, 'login-tenant').fill('demo');
  await find(agent, 'login-email').fill(`${role}@demo.example`);
  await find(agent, 'login-password').fill(PASSWORD);
  await find(agent, 'login-submit').click();
  await find(agent, 'presence').waitFor();
  return agent;
}

async function fill(customer, { name, reason }) {
  await customer.goto(`${service.url}/c/${service.token}`);
  await find(customer, 'join-name').fill(name);
  await find(customer, 'join-reason').fill(reason);
  await find(customer, 'join-reason').blur();
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
