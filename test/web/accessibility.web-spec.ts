import { until } from '../support/until';
import { findBarriers } from './support/browser/accessibility';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

describe('every screen', () => {
  it('of a call has no barriers that axe knows, and fits narrow windows and large text', async () => {
    const company = await createCompany({ callback_enabled: true });
    const found: string[] = [];
    const page = await scene.customerPage();
    const customer = await CustomerPage.open(page, company.link);
    await customer.waitFor('form');
    found.push(...(await findBarriers(page, 'form')));
    await customer.join('Clara Customer');
    found.push(...(await findBarriers(page, 'waiting')));
    const agent = await scene.agent(company);
    found.push(...(await findBarriers(agent.page, 'console: queue')));
    await agent.answer();
    await waitForPictures(agent, customer);
    found.push(...(await findBarriers(page, 'in call')));
    found.push(...(await findBarriers(agent.page, 'console: call')));
    await customer.click('chat-open');
    await customer.say('Hello');
    found.push(...(await findBarriers(page, 'chat')));
    await agent.complete();
    await customer.waitFor('rating');
    found.push(...(await findBarriers(page, 'rating')));
    await customer.click('rating-5');
    await customer.click('rating-submit');
    await customer.waitForId('rating-thanks');
    found.push(...(await findBarriers(page, 'thanks')));
    expect(found).toEqual([]);
  });

  it('beside a call has none either', async () => {
    const company = await createCompany();
    const closed = await company.tenant.department({ opening_hours: { timezone: 'UTC', weekly: {} } });
    const found: string[] = [];
    for (const [screen, link] of [
      ['problem', { token: 'no-such-link' }],
      ['closed', await company.tenant.link(closed.id)],
    ] as const) {
      const page = await scene.customerPage();
      const customer = await CustomerPage.open(page, link);
      await customer.waitFor(screen);
      found.push(...(await findBarriers(page, screen)));
    }
    const refused = await scene.waiting(company, { context: { permissions: [] } });
    const agent = await scene.agent(company);
    found.push(...(await findBarriers(refused.page, 'waiting, permission refused')));
    await agent.answer();
    await refused.waitForId('permission');
    found.push(...(await findBarriers(refused.page, 'permission')));
    const left = await scene.waiting(company);
    await left.click('leave-queue');
    await left.click('leave-confirm');
    await left.waitFor('over');
    found.push(...(await findBarriers(left.page, 'over')));
    expect(found).toEqual([]);
  });
});

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
    await customer.focusByTab('hang-up');
    await page.keyboard.press('Enter');
    await customer.focusByTab('hang-up-confirm');
    await page.keyboard.press('Enter');
    await customer.waitFor('rating');
    await customer.focusByTab('rating-1');
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

describe('reduced motion', () => {
  it('is respected: nothing is animated for long', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { context: { reducedMotion: 'reduce' } });
    const longest = await customer.page.evaluate(() =>
      Math.max(
        0,
        ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0)),
      ),
    );
    expect(longest).toBeLessThanOrEqual(10);
  });
});
