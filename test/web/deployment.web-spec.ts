import { BarrierCheck } from './support/browser/barrier-check';
import { sharedBrowser } from './support/browser/chromium';
import { callScene, waitForPictures } from './support/call-scene';
import { until } from '../support/until';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { OwnService } from './support/own-service';
import { AgentPage } from './support/pages/agent-page';

const scene = callScene();
const check = new BarrierCheck();
const CALL_CODE = '**/assets/call-view-*.js';
let service: OwnService;

beforeAll(async () => {
  // A start takes several seconds on a busy machine.
  service = await OwnService.start({ RECONNECT_GRACE_SECONDS: '60' });
});
afterAll(async () => {
  await service?.stop();
});

describe('a deployment', () => {
  it('keeps the place of a customer who waits, whose page reloads once when a file of it is gone', async () => {
    const company = await createCompany({}, service.test);
    const page = await scene.customerPage();
    let loads = 0;
    page.on('load', () => loads++);
    await page.route(CALL_CODE, (route) => route.fulfill({ status: 404 }));
    const customer = await CustomerPage.join(page, company.link, undefined, service.url);
    await until(() => loads === 2);
    await customer.waitFor('waiting');
    scene.pages.expectRestart();
    await service.redeploy();
    await page.unroute(CALL_CODE);
    const agent = await scene.agent(company, { url: service.url });
    await agent.answer();
    await waitForPictures(agent, customer);
    expect(loads).toBe(2);
  });

  it('keeps a call', async () => {
    const company = await createCompany({}, service.test);
    const { agent, customer } = await scene.connected(company, { url: service.url });
    scene.pages.expectRestart();
    await service.redeploy();
    await customer.say('Still here');
    await agent.openChat();
    await agent.page.getByText('Still here').waitFor();
    await waitForPictures(agent, customer);

    // Here the call waits for long enough to look at the page of a side that has lost the connection.
    const { page } = customer;
    await page.context().setOffline(true);
    await customer.waitForId('reconnecting');
    await check.look(page, 'call, no connection');
    await page.context().setOffline(false);
    await customer.waitUntilGone('reconnecting');
    await agent.page.close();
    await customer.waitForId('peer-lost');
    await check.look(page, 'call, agent lost');
    expect(check.found).toEqual([]);
    const { api } = agent.member;
    const { body } = await api.get('/api/v1/calls');
    await api.post(`/api/v1/calls/${body.data[0].id}/complete`);
    await customer.waitFor('rating');
  });

  it('of another version, which lacks files that the console has not loaded yet, takes no call away', async () => {
    const company = await createCompany({ wrap_up_time: 300 });
    const page = await scene.pages.open(await sharedBrowser(), 'agent');
    scene.pages.expectMissingModules();
    const missing = /\/assets\/(shortcut-dialog|calls-page)-/;
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
    await agent.waitForId('after-call');
    expect(await agent.find('wrap-up-finish').isVisible()).toBe(true);
    await page.unroute(missing);
    await page.keyboard.press('?');
    await agent.waitForId('shortcuts');
  });
});
