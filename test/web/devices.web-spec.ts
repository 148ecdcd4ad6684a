import type { Browser } from 'playwright-core';
import { launchBrowser } from './support/browser/chromium';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';

const scene = callScene();

describe('a customer', () => {
  it('whose browser refuses camera and microphone learns how to allow them, and can then be seen', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { context: { permissions: [] } });
    const agent = await scene.agent(company);
    await agent.answer();
    const explanation = await customer.waitForId('permission');
    expect(await explanation.getAttribute('data-state')).toBe('refused');
    expect(await explanation.locator('li').count()).toBeGreaterThanOrEqual(2);
    await customer.waitForPicture();

    await customer.page.context().grantPermissions(['camera', 'microphone']);
    await explanation.getByRole('button', { name: 'Try again' }).click();
    await agent.waitForPicture();
    await customer.waitUntilGone('permission');
  });

  it('can write although camera and microphone are refused', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { context: { permissions: [] } });
    const agent = await scene.agent(company);
    await agent.answer();
    const explanation = await customer.waitForId('permission');
    await explanation
      .getByRole('button', { name: /text only|go on like this/i })
      .first()
      .click();
    await customer.waitUntilGone('permission');
    await customer.say('I have no camera');
    await agent.click('chat-open');
    await agent.page.getByText('I have no camera').waitFor();
  });

  it('is asked for the devices only when in line', async () => {
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
    await page.goto(`${company.link.url}`);
    await page.locator('[data-screen="form"]').waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.asked)).toBeUndefined();
  });
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
    await agent.page.waitForFunction(() =>
      [...document.querySelectorAll('audio')].some(({ srcObject, paused }) => srcObject && !paused),
    );
  });
});
