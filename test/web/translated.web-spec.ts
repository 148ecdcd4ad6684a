import type { BrowserContext } from 'playwright-core';
import { expectStatus } from '../support/builders';
import { until } from '../support/until';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

/**
 * Puts each text of a page into two `<font>` elements in place of its text node, now and whenever one is added, as
 * browsers do that translate a page. The words stay, so that they can be compared.
 */
async function translate(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const NOT_TRANSLATED = 'font, script, style, option, title, textarea';
    const wrap = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (!text.data.trim() || !text.parentElement || text.parentElement.closest(NOT_TRANSLATED)) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) wrap(node);
    }).observe(document, { childList: true, subtree: true });
  });
}

it('a page that the browser translates shows each change, from the line to the thanks', async () => {
  const company = await createCompany({ callback_enabled: true });
  const ahead = await company.tenant.join(company.link);
  const page = await scene.customerPage();
  await translate(page.context());
  const customer = await CustomerPage.open(page, company.link);
  await customer.waitFor('form');
  await customer.click('join-submit');
  await page.locator('.field-error').waitFor();
  await customer.join('Clara Customer');
  const shows = (id: string, text: string) => customer.find(id).getByText(text, { exact: true }).waitFor();
  expect(await page.locator('font').count()).toBeGreaterThan(10);
  await shows('queue-position', '2');
  await customer.click('request-callback');
  await page.locator('input[name="email"]').fill('clara@example.com');
  await customer.click('callback-submit');
  await customer.waitFor('callback');
  await customer.click('callback-cancel');
  await customer.waitFor('waiting');
  const { api } = webTest();
  expectStatus(await api.as(ahead.websocket_token).post(`/api/v1/call/cancel/${ahead.call_id}`), 200);
  await shows('queue-position', '1');
  await page.getByText('You are next').first().waitFor();
  await customer.find('language').selectOption('es');
  await page.getByText('Usted es la próxima persona').first().waitFor();
  await customer.find('language').selectOption('en');
  await page.getByText('You are next').first().waitFor();
  await page.context().setOffline(true);
  await customer.waitForId('reconnecting');
  await page.context().setOffline(false);
  await customer.waitUntilGone('reconnecting');
  await customer.pressAndHold('leave-queue');
  await page.getByTestId('undo').click();
  await customer.waitUntilGone('undo');

  const agent = await scene.agent(company);
  await agent.answer();
  await waitForPictures(agent, customer);
  const clock = page.getByRole('timer');
  const before = await clock.textContent();
  await until(async () => (await clock.textContent()) !== before);
  await agent.say('Hello Clara');
  await page.locator('.badge').getByText('1', { exact: true }).waitFor();
  await customer.say('Hello');
  await page.getByTestId('chat-message').getByText('Hello Clara', { exact: true }).waitFor();
  await customer.pressAndHold('hang-up');
  await customer.click('hang-up');
  await customer.waitFor('rating');
  await customer.click('rating-5');
  await customer.click('rating-submit');
  await customer.waitForId('rating-thanks');
});
