import type { Browser } from 'playwright-core';
import { launchBrowser } from './support/browser/chromium';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany } from './support/company';
import { OwnService } from './support/own-service';

const scene = callScene();
let service: OwnService;
let browser: Browser;

beforeAll(async () => {
  // A start takes several seconds on a busy machine.
  service = await OwnService.start({ RECONNECT_GRACE_SECONDS: '60' });
  browser = await launchBrowser({ origins: [service.url] });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('a deployment', () => {
  it('keeps the place of a customer who waits', async () => {
    const company = await createCompany({}, service.test);
    const customer = await scene.waiting(company, { browser, url: service.url });
    await service.redeploy();
    const agent = await scene.agent(company, { browser, url: service.url });
    await agent.answer();
    await waitForPictures(agent, customer);
  });

  it('keeps a call', async () => {
    const company = await createCompany({}, service.test);
    const { agent, customer } = await scene.connected(company, { browser, url: service.url });
    await service.redeploy();
    await customer.say('Still here');
    await agent.openChat();
    await agent.page.getByText('Still here').waitFor();
    await waitForPictures(agent, customer);
    await agent.complete();
    await customer.waitFor('rating');
  });
});
