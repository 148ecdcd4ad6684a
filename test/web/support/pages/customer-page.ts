import type { Page } from 'playwright-core';
import type { Json } from '../../../support/http/api';
import { waitForOwnPicture, waitForRemotePicture, waitUntilFrozen } from '../browser/moving-picture';
import { sharedServers } from '../shared-servers';
import { loadPage } from './load-page';
import { byTestId, PATIENCE_MS, waitForTestId, waitUntilGone } from './test-id';

/** The screens of the customer's page: the `screen` of its state. */
export type Screen =
  | 'problem'
  | 'closed'
  | 'full'
  | 'form'
  | 'waiting'
  | 'callback'
  | 'called'
  | 'in_call'
  | 'over'
  | 'rating'
  | 'thanks'
  | 'resuming'
  | 'other_device';

const MAX_TAB_STEPS = 60;

/** The page /c/:token. */
export class CustomerPage {
  constructor(readonly page: Page) {}

  /** Opens the page of a link. */
  static async open(page: Page, link: Json, search = '', url = sharedServers().url): Promise<CustomerPage> {
    const customer = new CustomerPage(page);
    await loadPage(page, () => page.goto(`${url}/c/${link.token}${search}`, { timeout: PATIENCE_MS }));
    await customer.waitUntilReady();
    return customer;
  }

  /** Opens the page of a link and joins its queue. */
  static async join(page: Page, link: Json, name = 'Clara Customer', url?: string): Promise<CustomerPage> {
    const customer = await CustomerPage.open(page, link, '', url);
    await customer.join(name);
    return customer;
  }

  /** @param further what is typed into the other fields, by their names */
  async join(
    name: string,
    further: Partial<Record<'email' | 'phone' | 'reason', string>> = {},
  ): Promise<void> {
    await this.waitFor('form');
    await (await waitForTestId(this.page, 'join-name')).fill(name);
    for (const [field, text] of Object.entries(further)) await this.find(`join-${field}`).fill(text);
    await this.click('join-submit');
    await this.waitFor('waiting');
  }

  /** Waits until the script has taken the page over: what is pressed before is lost. */
  private async waitUntilReady(): Promise<void> {
    const ready = this.page.locator('html[data-ready="true"]');
    await ready.waitFor({ state: 'attached', timeout: PATIENCE_MS });
  }

  /** Waits for a screen. */
  async waitFor(screen: Screen): Promise<void> {
    await this.page.locator(`[data-screen="${screen}"]`).first().waitFor({ timeout: PATIENCE_MS });
  }

  find = (id: string) => byTestId(this.page, id);
  waitForId = (id: string) => waitForTestId(this.page, id);
  waitUntilGone = (id: string) => waitUntilGone(this.page, id);

  async click(id: string): Promise<void> {
    await this.find(id).first().click({ timeout: PATIENCE_MS });
  }

  /** Waits until the customer's own picture moves. */
  waitForOwnPicture = () => waitForOwnPicture(this.page.getByTestId('local-video'));

  /** Waits until the agent's picture moves. */
  waitForPicture = () => waitForRemotePicture(this.page.getByTestId('remote-video'));
  waitUntilFrozen = () => waitUntilFrozen(this.page.getByTestId('remote-video'));

  async reload(): Promise<void> {
    await loadPage(this.page, () => this.page.reload({ timeout: PATIENCE_MS }));
    await this.waitUntilReady();
  }

  /** Writes a chat message. */
  async say(text: string): Promise<void> {
    if (!(await this.find('chat-input').isVisible())) await this.click('chat-open');
    await (await this.waitForId('chat-input')).fill(text);
    await this.click('chat-send');
  }

  /** Hangs up by one press, which is carried out a moment later. */
  async hangUp(): Promise<void> {
    await this.click('hang-up');
    await this.waitFor('rating');
  }

  /** Leaves the line at once, by a second press. */
  async leaveLine(): Promise<void> {
    await this.pressAndHold('leave-queue');
    await this.click('leave-queue');
    await this.waitFor('over');
  }

  /** Lets the next press be taken back for ten minutes instead of three seconds, which a busy machine can miss. */
  async holdUndo(): Promise<void> {
    await this.page.evaluate(() => {
      const { now } = Date;
      addEventListener('click', () => (Date.now = () => now() + 600_000), { capture: true, once: true });
      addEventListener('click', () => (Date.now = now), { once: true });
    });
  }

  /** Presses the button of something that can be taken back for a long time: a second press goes on. */
  async pressAndHold(id: string): Promise<void> {
    await this.holdUndo();
    await this.click(id);
    await this.waitForId('undo');
  }

  /** Moves the focus to an element with the tab key, as far as a page can be long. */
  async focusByTab(id: string): Promise<void> {
    const target = this.find(id).first();
    await target.waitFor({ timeout: PATIENCE_MS });
    for (let steps = 0; steps < MAX_TAB_STEPS; steps++) {
      if (await target.evaluate((element) => element.contains(document.activeElement))) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`The tab key does not reach ${id}`);
  }
}
