import { find, open, settle } from './browse.mjs';
import { savePicture } from './save-picture.mjs';

const PAGES = [
  'wall',
  'queue',
  'appointments',
  'links',
  'reports',
  'departments',
  'calls',
  'users',
  'settings',
];
/** Higher than others: what belongs together is shown together. */
const TALL = { width: 1280, height: 1260 };

/** The pages of the console, while a customer waits and another one is in a call. @param page of the owner */
export async function takeConsolePictures(page) {
  for (const name of PAGES) {
    await open(page, find(page, `nav-${name}`));
    if (name === 'appointments') await showAppointments(page);
    await savePicture(page, `console-${name}`);
  }
  await open(page, find(page, 'nav-customers'));
  await open(page, page.getByRole('table').getByRole('link').first());
  await savePicture(page, 'console-customer');
  await takeBatch(page);
}

/** The demo's appointments are on the days after today, which at the end of a week are in the next one. */
async function showAppointments(page) {
  if ((await page.locator('.ec-event').count()) > 0) return;
  await page.getByRole('button', { name: 'Later', exact: true }).click();
  await page.locator('.ec-event').first().waitFor();
  await settle(page);
}

/** Links that were created from lines, as cards to print. */
async function takeBatch(page) {
  await open(page, find(page, 'nav-links'));
  await find(page, 'link-batch').click();
  await find(page, 'link-department').selectOption({ label: 'Suporte Técnico' });
  await find(page, 'batch-lines').fill('Reception\nMeeting room 1\nMeeting room 2\nWorkshop');
  await find(page, 'save').click();
  await find(page, 'qr-sheet').locator('img').last().waitFor();
  await settle(page);
  await savePicture(page, 'console-batch');
  await page.keyboard.press('Escape');
}

/** A call that has ended, with its recording and all that happened. */
export async function takeCallDetails(page, customer) {
  const before = page.viewportSize();
  await page.setViewportSize(TALL);
  await open(page, find(page, 'nav-calls'));
  await open(page, page.getByRole('table').getByRole('link', { name: customer }).first());
  await page.getByText('Why this agent?').first().click();
  await page.getByRole('button', { name: 'Play the recording' }).click();
  await page.waitForFunction(() => document.querySelector('video')?.currentTime > 1);
  await page.evaluate(() => document.querySelector('video').pause());
  await page.evaluate(() => scrollTo({ top: 0 }));
  await settle(page);
  await savePicture(page, 'console-call-details');
  await page.setViewportSize(before);
}
