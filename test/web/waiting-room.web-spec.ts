import type { Page } from 'playwright-core';
import { until } from '../support/until';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

declare global {
  var takenTracks: MediaStreamTrack[] | undefined;
}

describe('a customer who waits', () => {
  it('and tries the camera is filmed no more after leaving, or until the callback', async () => {
    const company = await createCompany({ callback_enabled: true });
    for (const leave of [leaveLine, requestCallback]) {
      const page = await scene.customerPage();
      await recordTracks(page);
      const customer = await CustomerPage.join(page, company.link);
      await customer.click('device-check');
      await until(async () => (await liveTracks(page)) > 0);
      await leave(customer);
      await until(async () => (await liveTracks(page)) === 0);
    }
  });

  it('by the keyboard finds the focus in the field that opens, and again if the address is wrong', async () => {
    const company = await createCompany({ callback_enabled: true });
    const customer = await scene.waiting(company);
    await customer.focusByTab('request-callback');
    await customer.page.keyboard.press('Enter');
    await waitForFocus(customer, 'callback-email');
    await customer.page.keyboard.type('clara@');
    await customer.focusByTab('callback-submit');
    await customer.page.keyboard.press('Enter');
    await waitForFocus(customer, 'callback-email');
  });
});

async function leaveLine(customer: CustomerPage): Promise<void> {
  await customer.click('leave-queue');
  await customer.click('leave-confirm');
  await customer.waitFor('over');
}

async function requestCallback(customer: CustomerPage): Promise<void> {
  await customer.click('request-callback');
  await customer.find('callback-email').fill('clara@customer.example');
  await customer.click('callback-submit');
  await customer.waitFor('callback');
}

const waitForFocus = (customer: CustomerPage, id: string) =>
  until(() => customer.page.evaluate((field) => document.activeElement?.id === field, id));

/** Remembers all tracks of cameras and microphones that the page takes. */
async function recordTracks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const taken: MediaStreamTrack[] = [];
    globalThis.takenTracks = taken;
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      taken.push(...stream.getTracks());
      return stream;
    };
  });
}

const liveTracks = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.takenTracks?.filter(({ readyState }) => readyState === 'live').length ?? 0);
