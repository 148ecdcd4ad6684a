import sharp from 'sharp';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { sharedServers } from './support/shared-servers';
import type { AgentPage } from './support/pages/agent-page';
import type { CustomerPage } from './support/pages/customer-page';
import { until } from '../support/until';

const scene = callScene();
const check = new BarrierCheck();
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

  it('has photos that the customer sends, small and without their place, and PDFs', async () => {
    const { agent, customer, company } = await scene.connected();
    await agent.openChat();
    const photo = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#3366cc' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Clara' }, IFD3: { GPSLatitude: '23/1 33/1 0/1' } })
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    await customer.click('chat-open');
    const input = customer.page.locator('[data-testid="chat-file"]');
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
    await input.setInputFiles([
      { name: 'damage.jpeg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'contract.pdf', mimeType: 'application/pdf', buffer: pdf },
    ]);
    const both = ['damage.jpg', 'contract.pdf'];
    await waitForMessages(customer, both);
    await waitForMessages(agent, both);
    const preview = await agent.waitForId('file-preview');
    await until(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth === 2048));
    await check.look(customer.page, 'chat with files');
    await check.look(agent.page, 'chat with a preview');
    expect(check.found).toEqual([]);

    const { owner } = company.tenant;
    const call = (await owner.api.get('/api/v1/calls?status=active')).body.data[0];
    const files = (await owner.api.get(`/api/v1/calls/${call.id}/files`)).body.data;
    expect(files.map(({ filename }: { filename: string }) => filename)).toEqual(both);
    const download = await fetch(sharedServers().api_url + files[0].url, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const stored = await sharp(Buffer.from(await download.arrayBuffer())).metadata();
    expect(stored).toMatchObject({ format: 'jpeg', width: 2048, height: 1024 });
    expect([stored.exif, stored.xmp]).toEqual([undefined, undefined]);

    const none = { mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
    await input.setInputFiles([
      { name: 'x.jpg', ...none },
      { name: 'y.jpg', ...none },
      { name: 'last.pdf', mimeType: 'application/pdf', buffer: pdf },
    ]);
    for (const name of ['x.jpg', 'y.jpg']) {
      await customer.page.getByText(`${name}: This file cannot be sent.`).waitFor();
    }
    const all = [...both, 'last.pdf'];
    await waitForMessages(customer, all);
    await customer.reload();
    await customer.click('chat-open');
    await waitForMessages(customer, all);
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
