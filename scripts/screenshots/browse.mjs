// What people do on the pages while their pictures are taken.
import { useDrawnCamera } from './drawn-camera.mjs';

const PHONE = { width: 390, height: 760 };
const DESKTOP = { width: 1280, height: 800 };
const PASSWORD = 'demo-call-queue';
const LOCALE = 'en-US';

const AGENT_LOOK = {
  size: { width: 960, height: 720 },
  colors: { wall: '#cfdcf2', hair: '#3b2417', skin: '#d9a27c', shirt: '#1d4ed8' },
};
const CUSTOMER_LOOK = {
  size: { width: 540, height: 720 },
  colors: { wall: '#f1dfc4', hair: '#7c4a1e', skin: '#f0c3a0', shirt: '#15803d' },
};

export const find = (page, id) => page.getByTestId(id).first();

export async function openCustomer(browser) {
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

/** Opens the console in a browser of its own. */
export async function signIn(browser, { url }, role = 'attendant') {
  const context = await browser.newContext({ viewport: DESKTOP, locale: LOCALE });
  await useDrawnCamera(context, AGENT_LOOK);
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await find(page, 'login-tenant').fill('demo');
  await find(page, 'login-email').fill(`${role}@demo.example`);
  await find(page, 'login-password').fill(PASSWORD);
  await find(page, 'login-submit').click();
  await find(page, 'presence').waitFor();
  if (role !== 'attendant') await find(page, 'takes-calls-no').click();
  return page;
}

/** Opens the link of a department, and fills the form of those who join. */
export async function fill(customer, { url }, token, { name, reason }) {
  await customer.goto(`${url}/c/${token}`);
  await find(customer, 'join-name').fill(name);
  await find(customer, 'join-reason').fill(reason);
  await find(customer, 'join-reason').blur();
}

/** Waits until the pages show the picture of the other side. */
export async function waitForVideos(...pages) {
  for (const page of pages) await page.waitForFunction(hasVideo, null, { timeout: 60_000 });
}

/** Opens another page of the console, and waits until it has its content. */
export async function open(page, link) {
  const before = await page.locator('main h1').textContent();
  await link.click();
  await page.mouse.move(0, 0);
  await page.waitForFunction(isOther, before);
  await settle(page);
}

/** Waits until what was loaded is drawn. */
export async function settle(page) {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
}

/** Runs in the page. */
function hasVideo() {
  const video = document.querySelector('[data-testid="remote-video"]');
  return video instanceof HTMLVideoElement && video.videoWidth > 0 && video.currentTime > 0.5;
}

/** Runs in the page: whether it has another title than before, and nothing is being loaded. */
function isOther(before) {
  const title = document.querySelector('main h1')?.textContent ?? before;
  return title !== before && document.querySelector('.mantine-Skeleton-root') === null;
}
