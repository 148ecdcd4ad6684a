import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './support/browser/chromium';
import { BarrierCheck } from './support/browser/barrier-check';
import { playing, waitForSound } from './support/browser/sound';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();
const check = new BarrierCheck();
const REFUSED = { permissions: [] };

describe('a customer whose browser refuses camera and microphone', () => {
  it('sees and hears the agent, learns how to allow them, and can then be seen', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { context: REFUSED });
    const agent = await scene.agent(company);
    await agent.answer();
    const explanation = customer.find('permission').and(customer.page.locator('[data-state="refused"]'));
    await explanation.waitFor({ timeout: PATIENCE_MS });
    expect(await explanation.locator('li').count()).toBeGreaterThanOrEqual(2);
    await customer.waitForPicture();

    await customer.page.context().grantPermissions(['camera', 'microphone']);
    await customer.click('permission-retry');
    await agent.waitForPicture();
    await customer.waitUntilGone('permission');
  });

  it('hears the agent after a tap where the browser plays no sound by itself, and can write', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { context: REFUSED });
    const agent = await scene.agent(company);
    await agent.answer();
    await customer.waitFor('in_call');
    await customer.waitForId('permission');
    // As a phone does that has closed the tab meanwhile: nobody has touched the new one.
    const { page } = customer;
    const tab = await scene.pages.openTab(page.context(), 'restored tab');
    await refuseSoundBeforeTap(tab);
    await page.close();
    const restored = await CustomerPage.open(tab, company.link);
    const tapToHear = tab.getByRole('button', { name: 'Tap to hear' });
    await tapToHear.waitFor({ timeout: PATIENCE_MS });
    expect(await playing(tab)).toEqual([]);
    await check.look(tab, 'sound waits for a tap');
    expect(check.found).toEqual([]);
    await tapToHear.click();
    await tapToHear.waitFor({ state: 'detached' });
    expect(await playing(tab)).toHaveLength(1);
    await waitForSound(tab);

    await restored.click('permission-go-on');
    await restored.waitUntilGone('permission');
    await restored.say('I have no camera');
    await agent.openChat();
    await agent.page.getByText('I have no camera').waitFor();
  });
});

/** Browsers do it themselves, but for Playwright, whose own scripts count as actions of the user. */
async function refuseSoundBeforeTap(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let isTouched = false;
    addEventListener('pointerup', () => (isTouched = true), { capture: true });
    Object.defineProperty(HTMLMediaElement.prototype, 'autoplay', { set() {} });
    const { play } = HTMLMediaElement.prototype;
    HTMLAudioElement.prototype.play = function () {
      return isTouched ? play.call(this) : Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
}

it('no device is used before the customer is in line', async () => {
  const company = await createCompany();
  const page = await scene.customerPage();
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const original = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = (constraints) => {
      document.documentElement.dataset.asked = 'true';
      return original(constraints);
    };
  });
  const customer = await CustomerPage.open(page, company.link);
  await customer.waitFor('form');
  expect(await page.evaluate(() => document.documentElement.dataset.asked)).toBeUndefined();
  await customer.join('Clara Customer');
  const agent = await scene.agent(company);
  await agent.answer();
  await agent.waitForPicture();
  expect(await page.evaluate(() => document.documentElement.dataset.asked)).toBe('true');
});

describe('a customer without a camera', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser({ cameras: 0 });
  });
  afterAll(async () => browser?.close());

  it('talks without a picture and sees the agent', async () => {
    const company = await createCompany();
    const [agent, customer] = await Promise.all([scene.agent(company), scene.waiting(company, { browser })]);
    await agent.answer();
    await customer.waitForPicture();
    await customer.page.getByText(/no camera was found/i).waitFor();
    await waitForSound(agent.page);
  });
});

it('a speaker that the browser refuses is not shown as chosen', async () => {
  const { customer } = await scene.connected();
  const { page } = customer;
  await page.evaluate(() => {
    HTMLMediaElement.prototype.setSinkId = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  });
  await customer.click('more');
  const speakers = page.getByLabel('Speaker');
  const before = await speakers.inputValue();
  const values = await speakers
    .locator('option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  await speakers.selectOption(values.find((value) => value !== before) ?? '');
  await customer.waitForId('speaker-failed');
  expect(await speakers.inputValue()).toBe(before);
});
