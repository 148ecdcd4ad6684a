import type { Browser } from 'playwright-core';
import { launchBrowser, sharedBrowser } from './support/browser/chromium';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany } from './support/company';
import { OwnService } from './support/own-service';
import { AgentPage } from './support/pages/agent-page';

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

  it('of another version, which lacks files that the console has not loaded yet, takes no call away', async () => {
    const company = await createCompany({ wrap_up_time: 300 });
    const page = await scene.pages.open(await sharedBrowser(), 'agent');
    const missing = /\/assets\/(shortcut-dialog|after-call|calls-page)-/;
    await page.route(missing, (route) => route.fulfill({ status: 404, body: '' }));
    await AgentPage.open(page);
    const agent = await AgentPage.logIn(page, company);
    const customer = await scene.waiting(company);
    await agent.answer();
    await waitForPictures(agent, customer);

    await page.keyboard.press('?');
    const notice = await agent.waitForId('missing-part');
    expect(await notice.getByRole('button', { name: 'Reload' }).isVisible()).toBe(true);
    await notice.getByRole('button', { name: 'Close' }).click();
    await agent.waitUntilGone('missing-part');
    await agent.click('nav-calls');
    await page.getByText('This page could not be shown').waitFor();
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    await agent.find('call-dock').getByRole('link').click();
    await waitForPictures(agent, customer);

    await agent.complete();
    await customer.waitFor('rating');
    await agent.waitForId('missing-part');
    expect(await agent.find('wrap-up-finish').isVisible()).toBe(true);
    await page.unroute(missing);
    await agent.waitForId('after-call');
    await page.keyboard.press('?');
    await agent.waitForId('shortcuts');
  });
});
