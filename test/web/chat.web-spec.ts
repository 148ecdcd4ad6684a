import { callScene } from './support/call-scene';
import type { AgentPage } from './support/pages/agent-page';
import type { CustomerPage } from './support/pages/customer-page';
import { until } from '../support/until';

const scene = callScene();
const HOSTILE = '<img src=x onerror="window.isHacked = true"><b>bold</b>';

describe('the chat', () => {
  it('reaches the other side as text, and is still there after a reload', async () => {
    const { agent, customer } = await scene.connected();
    await agent.openChat();
    await customer.say('My order is 4711');
    await waitForMessages(agent, ['My order is 4711']);
    await agent.say(HOSTILE);
    const both = ['My order is 4711', HOSTILE];
    await waitForMessages(customer, both);
    await waitForMessages(agent, both);

    await Promise.all([customer.reload(), agent.reload()]);
    await customer.click('chat-open');
    for (const side of [customer, agent]) {
      await waitForMessages(side, both);
      expect(await side.page.evaluate(() => 'isHacked' in window)).toBe(false);
    }
  });

  it('has links where a message names pages', async () => {
    const { agent, customer } = await scene.connected();
    await agent.openChat();
    await agent.say('See https://example.com/help?a=1 or javascript:alert(1).');
    await customer.say('http://example.org/mine');
    await customer.waitForId('chat-message');
    for (const [side, address] of [
      [customer, 'https://example.com/help?a=1'],
      [agent, 'http://example.org/mine'],
    ] as const) {
      const link = side.page.getByRole('link', { name: address });
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe(address);
      expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
        '_blank',
        'noopener nofollow',
      ]);
      expect(await side.page.locator('[data-testid="chat-message"] a').count()).toBe(2);
    }
  });

  it('tells the customer of a new message while it is closed', async () => {
    const { agent, customer } = await scene.connected();
    const labelBefore = await customer.find('chat-open').getAttribute('aria-label');
    await agent.say('Please show me the label');
    await until(async () => (await customer.find('chat-open').getAttribute('aria-label')) !== labelBefore);
    const news = customer.page.locator('[role="status"][data-testid="chat-news"]');
    await until(async () => (await news.textContent()) === 'Chat, 1 new message');
  });
});

async function waitForMessages(side: AgentPage | CustomerPage, texts: string[]): Promise<void> {
  let shown: string[] = [];
  await until(
    async () => {
      shown = await side.find('chat-message').allTextContents();
      return shown.length === texts.length && texts.every((text, at) => shown[at]?.includes(text));
    },
    () => `the chat shows ${JSON.stringify(shown)}`,
  );
}
