import type { Page } from 'playwright-core';
import { expectStatus } from '../support/builders';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene, waitForPictures } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import { waitForOtherTabs } from './support/browser/patient-claim';
import { CustomerPage } from './support/pages/customer-page';
import { PATIENCE_MS } from './support/pages/test-id';
import { sharedBrowser } from './support/browser/chromium';
import { keepPicture } from './support/browser/page-pictures';

const scene = callScene();

/** In both colour schemes axe finds nothing serious, and narrow windows and large text need no scrolling sideways. */
describe('there are no barriers', () => {
  const check = new BarrierCheck();

  beforeEach(() => check.reset());

  it('from the form to the rating', async () => {
    const company = await createCompany({ callback_enabled: true });
    const page = await scene.customerPage();
    const customer = await CustomerPage.open(page, company.link);
    await customer.waitFor('form');
    await keepPicture(page, 'form');
    await customer.click('join-submit');
    await check.look(page, 'form, name missing');
    await withoutAnswers(page, '**/join', async () => {
      await customer.find('join-name').fill('Clara Customer');
      await customer.click('join-submit');
      await page.locator('form .notice').waitFor();
      await check.look(page, 'joining, no answer');
    });
    await customer.waitFor('waiting');
    await check.look(page, 'waiting');
    await withoutAnswers(page, '**/resume', async () => {
      await customer.reload();
      await customer.waitFor('resuming');
      await page.locator('.notice').waitFor();
      await check.look(page, 'resuming, no answer');
    });
    await customer.waitFor('waiting');
    await page.context().setOffline(true);
    await customer.waitForId('reconnecting');
    await check.look(page, 'waiting, no connection');
    await page.context().setOffline(false);
    const agent = await scene.agent(company);
    await agent.answer();
    await waitForPictures(agent, customer);
    await check.look(page, 'in call');
    await customer.click('more');
    await check.look(page, 'menu of the call');
    await customer.click('more');
    await customer.say('Hello');
    await check.look(page, 'chat');
    await customer.pressAndHold('hang-up');
    await check.look(page, 'hanging up');
    await customer.click('hang-up');
    await customer.waitFor('rating');
    await check.look(page, 'rating');
    await customer.click('rating-5');
    await customer.click('rating-submit');
    await customer.waitForId('rating-thanks');
    await check.look(page, 'thanks');
    expect(check.found).toEqual([]);
  });

  it('in the console', async () => {
    const company = await createCompany();
    const login = await scene.pages.open(await sharedBrowser(), 'agent');
    await AgentPage.open(login);
    await check.look(login, 'login');
    const [agent, customer] = await Promise.all([scene.agent(company), scene.waiting(company)]);
    await agent.find('queue-row').first().waitFor();
    await check.look(agent.page, 'queue');
    await agent.answer();
    await waitForPictures(agent, customer);
    await agent.say('Hello');
    await check.look(agent.page, 'call in progress');
    await agent.click('record');
    await customer.waitForId('recording-consent');
    await check.look(customer.page, 'recording consent');
    await customer.click('recording-consent');
    await customer.waitForId('recording-notice');
    await check.look(customer.page, 'recording notice');
    await agent.click('toggle-microphone');
    await check.look(agent.page, 'recorded without a microphone');
    await agent.click('transfer');
    await agent.waitForId('transfer-target');
    await check.look(agent.page, 'transfer');
    await agent.page.keyboard.press('Escape');
    await agent.waitUntilGone('transfer-target');
    const { tenant, link } = company;
    const { call_id } = await tenant.join(link, { name: 'Second Customer' });
    const assigned = { user_id: agent.member.id };
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`, assigned), 200);
    await agent.complete();
    await agent.waitForId('call-next');
    await check.look(agent.page, 'call that has ended, next one assigned');
    await agent.click('call-close');
    await agent.waitForId('answer');
    await check.look(agent.page, 'call to be answered');
    expect(check.found).toEqual([]);
  });

  it('in what a customer meets besides', async () => {
    const company = await createCompany({ callback_enabled: true, max_queue_size: 2 });
    // The service calls the next customer of a line back at once.
    await company.tenant.join(company.link);
    const closed = await company.tenant.department({ opening_hours: { timezone: 'UTC', weekly: {} } });
    for (const [screen, link] of [
      ['problem', { token: 'no-such-link' }],
      ['closed', await company.tenant.link(closed.id)],
    ] as const) {
      const customer = await CustomerPage.open(await scene.customerPage(), link);
      await customer.waitFor(screen);
      await check.look(customer.page, screen);
    }
    const turnedAway = await CustomerPage.open(await scene.customerPage(), company.link);
    const waiting = await scene.waiting(company);
    await turnedAway.find('join-name').fill('Too Late');
    await turnedAway.click('join-submit');
    await turnedAway.waitFor('full');
    await check.look(turnedAway.page, 'full');

    await waiting.click('device-check');
    await waiting.waitForId('device-check-panel');
    await check.look(waiting.page, 'device check');
    await untilDevicesAreChecked(waiting, company);
    await check.look(waiting.page, 'device check, result');
    await waiting.click('request-callback');
    await waiting.page.locator('input[name="email"]').fill('clara@example.com');
    await waiting.click('callback-submit');
    await waiting.waitFor('callback');
    await check.look(waiting.page, 'callback');
    await waiting.click('callback-cancel');
    await waiting.waitFor('waiting');
    await waiting.pressAndHold('leave-queue');
    await check.look(waiting.page, 'leaving');
    await waiting.click('leave-queue');
    await waiting.waitFor('over');
    await check.look(waiting.page, 'over');
    expect(check.found).toEqual([]);
  });

  it('when called, with refused devices and in a second tab', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { context: { permissions: [] } });
    const { api } = company.agents[0] ?? company.tenant.owner;
    const { body } = await api.get('/api/v1/calls');
    await api.post(`/api/v1/calls/${body.data[0].id}/assign`);
    await customer.waitFor('called');
    await customer.waitForId('permission');
    await check.look(customer.page, 'called');
    await api.post(`/api/v1/calls/${body.data[0].id}/start`);
    await customer.waitFor('in_call');
    await customer.waitForId('permission');
    await check.look(customer.page, 'permission');
    const tab = await scene.pages.openTab(customer.page.context(), 'second tab');
    await waitForOtherTabs(tab);
    const second = await CustomerPage.open(tab, company.link);
    await second.waitForId('take-over');
    await check.look(tab, 'take over');
    expect(check.found).toEqual([]);
  });
});

/** Does something while requests to a path are lost. */
async function withoutAnswers(page: Page, path: string, work: () => Promise<void>): Promise<void> {
  await page.route(path, (route) => route.abort());
  await work();
  await page.unroute(path);
}

/** Waits until the running check has ended, and the service knows it. A busy machine can find the network worse than it is. */
async function untilDevicesAreChecked({ page }: CustomerPage, { tenant }: Company): Promise<void> {
  const again = page.locator('[data-testid="device-check-panel"] .button-quiet');
  await again.waitFor({ timeout: PATIENCE_MS });
  const { body } = await tenant.owner.api.get('/api/v1/calls?search=Clara');
  await until(async () => {
    const { device_report } = (await tenant.owner.api.get(`/api/v1/calls/${body.data[0].id}`)).body.data;
    return device_report;
  });
}

describe('with the keyboard alone', () => {
  it('a customer joins, writes, hangs up and rates', async () => {
    const company = await createCompany();
    const page = await scene.customerPage();
    const customer = await CustomerPage.open(page, company.link);
    await customer.waitFor('form');
    await customer.focusByTab('join-name');
    await page.keyboard.type('Clara Customer');
    await page.keyboard.press('Enter');
    await customer.waitFor('waiting');
    const agent = await scene.agent(company);
    await agent.answer();
    await waitForPictures(agent, customer);

    await customer.focusByTab('chat-open');
    await page.keyboard.press('Enter');
    await customer.focusByTab('chat-input');
    await page.keyboard.type('Can you see me?');
    await page.keyboard.press('Enter');
    await agent.openChat();
    await agent.find('chat-message').filter({ hasText: 'Can you see me?' }).waitFor();

    await customer.focusByTab('hang-up');
    await customer.holdUndo();
    await page.keyboard.press('Enter');
    await customer.waitForId('undo');
    await page.keyboard.press('Escape');
    await customer.waitUntilGone('undo');
    await customer.holdUndo();
    await page.keyboard.press('Enter');
    await customer.waitForId('undo');
    await page.keyboard.press('Enter');
    await customer.waitFor('rating');
    await customer.focusByTab('rating-1');
    await page.keyboard.press('Space');
    for (let stars = 1; stars < 4; stars++) await page.keyboard.press('ArrowRight');
    await customer.focusByTab('rating-submit');
    await page.keyboard.press('Enter');
    await customer.waitForId('rating-thanks');
    const { body } = await company.tenant.owner.api.get('/api/v1/calls');
    expect(body.data).toMatchObject([{ status: 'completed', rating: 4 }]);
  });
});

describe('with a screen reader', () => {
  it('a customer hears of a lost connection once, not each second', async () => {
    const { customer } = await scene.connected();
    await customer.page.context().setOffline(true);
    const notice = await customer.waitForId('reconnecting');
    const [heard, shown] = [await notice.ariaSnapshot(), await notice.textContent()];
    expect(heard).toContain('alert');
    await until(async () => (await notice.textContent()) !== shown);
    expect(await notice.ariaSnapshot()).toBe(heard);
  });
});

describe('motion in the line', () => {
  it.each([
    ['ends within 5 seconds, since nobody can stop it (WCAG 2.2, 2.2.2)', 'no-preference', 5000],
    ['is left out for those who want less of it', 'reduce', 10],
  ] as const)('%s', async (_, reducedMotion, limit) => {
    const customer = await scene.waiting(await createCompany(), { context: { reducedMotion } });
    const longest = await customer.page.evaluate(() =>
      Math.max(
        0,
        ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0)),
      ),
    );
    expect(longest).toBeLessThanOrEqual(limit);
  });
});
