import { until } from '../support/until';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
/** What takes back the press of a button. */
const UNDO = '[data-testid="undo"]';

/** Opens something with the keyboard, and waits until the focus is in it. */
async function open(customer: CustomerPage, opener: string, content: string): Promise<void> {
  await customer.focusByTab(opener);
  await customer.page.keyboard.press('Enter');
  await customer.page.locator(content).first().waitFor();
}

/** Closes it with a key, and waits until the focus is on the control again. */
async function closes(customer: CustomerPage, key: string, content: string, opener: string): Promise<void> {
  await customer.page.keyboard.press(key);
  await customer.page.locator(content).first().waitFor({ state: 'detached' });
  await hasFocus(customer, opener);
}

const hasFocus = (customer: CustomerPage, id: string) =>
  until(
    () => customer.page.evaluate((name) => document.activeElement?.getAttribute('data-testid') === name, id),
    () => `the focus is not on ${id}`,
  );

describe('the focus is where it was', () => {
  it('after the device check and the press that leaves', async () => {
    const customer = await scene.waiting(await createCompany());
    const check = '[data-testid="device-check-panel"]';
    await open(customer, 'device-check', check);
    await closes(customer, 'Escape', check, 'device-check');
    await open(customer, 'device-check', check);
    await customer.page.getByRole('button', { name: 'Close the preview' }).press('Enter');
    await hasFocus(customer, 'device-check');
    await customer.holdUndo();
    await open(customer, 'leave-queue', UNDO);
    await closes(customer, 'Escape', UNDO, 'leave-queue');
  });

  it('at the top of the next screen, whose header is in view', async () => {
    const page = await scene.customerPage({ context: { viewport: { width: 1280, height: 500 } } });
    await CustomerPage.join(page, (await createCompany()).link);
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'H1'));
    expect(await page.evaluate(() => globalThis.scrollY)).toBe(0);
  });

  it('after the button for the sound, on what it has become', async () => {
    const page = await scene.customerPage();
    await page.addInitScript(() => {
      class Unanswered {
        static readonly permission = 'default';
        static readonly requestPermission = async () => 'granted';
      }
      Object.assign(globalThis, { Notification: Unanswered });
    });
    const customer = await CustomerPage.join(page, (await createCompany()).link);
    await open(customer, 'ring', '[data-testid="ring-ready"]');
    await hasFocus(customer, 'ring-ready');
  });

  it('after the chat, the menu and the press that hangs up', async () => {
    const { customer } = await scene.connected();
    await open(customer, 'chat-open', '.chat');
    await hasFocus(customer, 'chat-input');
    await closes(customer, 'Escape', '.chat', 'chat-open');
    await open(customer, 'chat-open', '.chat');
    // Otherwise the chat could take the focus from its button before the key is pressed.
    await hasFocus(customer, 'chat-input');
    await customer.page.getByRole('button', { name: 'Close the chat' }).press('Enter');
    await hasFocus(customer, 'chat-open');

    await open(customer, 'more', '.more-menu');
    await customer.page.keyboard.press('Tab');
    await closes(customer, 'Escape', '.more-menu', 'more');

    await customer.holdUndo();
    await open(customer, 'hang-up', UNDO);
    await closes(customer, 'Escape', UNDO, 'hang-up');
  });
});
