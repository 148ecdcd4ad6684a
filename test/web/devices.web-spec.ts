import type { Browser, Page } from 'playwright-core';
import { expectStatus } from '../support/builders';
import { until } from '../support/until';
import { launchBrowser } from './support/browser/chromium';
import { BarrierCheck } from './support/browser/barrier-check';
import { playing, waitForSound } from './support/browser/sound';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { PATIENCE_MS } from './support/pages/test-id';

declare global {
  interface Window {
    recordRequest?: () => void;
    openedStreams?: MediaStream[];
  }
}

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
    // Who goes on with text only has the chat at once.
    await restored.waitForId('chat-input');
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

describe('camera and microphone', () => {
  it('start when the customer is ready, and again after a reload', async () => {
    const company = await createCompany();
    const page = await scene.customerPage({ isReadyAtOnce: false });
    const requests = await watchDevices(page);
    const customer = await CustomerPage.join(page, company.link);
    const agent = await scene.agent(company);
    await agent.answer();
    await customer.waitForPicture();
    await customer.waitForId('ready');
    await check.look(page, 'in call, not ready');
    expect(check.found).toEqual([]);
    await customer.reload();
    await customer.waitForPicture();
    await customer.waitForId('ready');
    expect([requests.count, await customer.find('toggle-camera').count()]).toEqual([0, 0]);

    await customer.click('ready');
    await agent.waitForPicture();
    await customer.waitUntilGone('ready');
    await customer.reload();
    await Promise.all([agent.waitForPicture(), customer.waitForPicture()]);
    expect([requests.count, await customer.find('ready').count()]).toEqual([2, 0]);
  });

  it('that were tried in the line are off until the customer is ready, each time an agent comes', async () => {
    const company = await createCompany();
    const page = await scene.customerPage({ isReadyAtOnce: false });
    await watchDevices(page);
    const customer = await CustomerPage.join(page, company.link);
    await customer.click('device-check');
    await until(async () => (await liveTracks(page)) === 2);
    const { api } = company.agents[0] ?? company.tenant.owner;
    const { body } = await company.tenant.owner.api.get('/api/v1/calls?status=queued');
    const path = `/api/v1/calls/${body.data[0].id}`;
    expectStatus(await api.post(`${path}/assign`), 200);
    await customer.waitFor('called');
    await customer.waitForId('ready');
    await until(async () => (await liveTracks(page)) === 0);
    await customer.click('ready');
    await until(async () => (await liveTracks(page)) === 2);

    const elsewhere = await company.tenant.department();
    const transfer = { department_id: elsewhere.id };
    expectStatus(await api.post(`${path}/start`), 200);
    expectStatus(await api.post(`${path}/transfer`, transfer), 200);
    await customer.waitFor('waiting');
    await until(async () => (await liveTracks(page)) === 0);
    expectStatus(await company.tenant.owner.api.post(`${path}/assign`), 200);
    await customer.waitForId('ready');
    expect(await liveTracks(page)).toBe(0);
  });
});

/** Counts the requests for devices, and keeps what they gave. */
async function watchDevices(page: Page): Promise<{ count: number }> {
  const requests = { count: 0 };
  await page.exposeFunction('recordRequest', () => void requests.count++);
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const original = mediaDevices.getUserMedia.bind(mediaDevices);
    window.openedStreams = [];
    mediaDevices.getUserMedia = async (constraints) => {
      window.recordRequest?.();
      const stream = await original(constraints);
      window.openedStreams?.push(stream);
      return stream;
    };
  });
  return requests;
}

/** How many devices are on. */
const liveTracks = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      (window.openedStreams ?? [])
        .flatMap((stream) => stream.getTracks())
        .filter(({ readyState }) => readyState === 'live').length,
  );

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
