import type { Locator } from 'playwright-core';
import { findCutOff } from './support/browser/cut-off';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';

const scene = callScene();
const SIZES = [
  { width: 320, height: 568 },
  { width: 568, height: 320 },
  { width: 844, height: 390 },
];
const PHONE = { width: 360, height: 640 };
const CONTROLS = ['toggle-microphone', 'toggle-camera', 'chat-open', 'more', 'hang-up'];

describe('the call on a small phone', () => {
  it('leaves all controls in reach of a finger while the chat or the menu is open', async () => {
    const { customer } = await scene.connected();
    const { page } = customer;
    const covered: string[] = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const opener of ['chat-open', 'more']) {
        await customer.click(opener);
        const isChat = opener === 'chat-open';
        for (const id of isChat ? [...CONTROLS, 'chat-input', 'chat-send'] : CONTROLS) {
          if (!(await isInReach(customer.find(id)))) covered.push(`${id} with ${opener} at ${size.width}`);
        }
        for (const control of await page
          .locator(isChat ? '.chat button' : '.more-menu :is(button, select)')
          .all()) {
          if (!(await isInReach(control))) covered.push(`${await control.innerHTML()} at ${size.width}`);
        }
        for (const control of await findCutOff(page.mainFrame())) covered.push(`${control} at ${size.width}`);
        await page.locator(`[data-testid="${opener}"]`).dispatchEvent('click');
      }
    }
    expect(covered).toEqual([]);
  });

  it('leaves the picture of the agent visible while the chat is open', async () => {
    const { customer } = await scene.connected();
    const hidden: string[] = [];
    for (const size of [PHONE, ...SIZES]) {
      await customer.page.setViewportSize(size);
      await customer.click('chat-open');
      const [picture, chat] = await Promise.all(
        ['remote-video', 'chat-input'].map((id) => customer.find(id).boundingBox()),
      );
      const isLarge = picture !== null && picture.width >= 100 && picture.height >= 100;
      if (!isLarge || !(await isInReach(customer.page.locator('.remote')))) hidden.push(`at ${size.width}`);
      if (!chat || chat.y + chat.height > size.height) hidden.push(`chat at ${size.width}`);
      await customer.click('chat-open');
    }
    expect(hidden).toEqual([]);
  });

  it('has buttons that stand out in the colour of a company that has chosen black', async () => {
    const company = await createCompany();
    await company.tenant.owner.api.put('/api/v1/tenant', { primary_color: '#000000' });
    const { customer } = await scene.connected(company);
    await customer.click('chat-open');
    const [red = 0, green = 0, blue = 0] =
      (await customer
        .find('chat-open')
        .evaluate((button) => getComputedStyle(button).backgroundColor.match(/\d+/g)?.map(Number))) ?? [];
    expect(Math.min(red, green, blue)).toBeGreaterThan(90);
  });
});

it('the five stars stand in one row on a small phone', async () => {
  const { agent, customer } = await scene.connected();
  await customer.page.setViewportSize({ width: 320, height: 568 });
  await agent.complete();
  await customer.waitFor('rating');
  const stars = await customer.page.locator('.star').all();
  const boxes = await Promise.all(stars.map((star) => star.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  expect(Math.min(...boxes.map((box) => box?.width ?? 0))).toBeGreaterThanOrEqual(44);
});

/** Whether a tap on the middle of the element reaches it. */
function isInReach(element: Locator): Promise<boolean> {
  return element.first().evaluate((node) => {
    node.scrollIntoView({ block: 'nearest' });
    const { left, top, width, height } = node.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && node.contains(hit);
  });
}
