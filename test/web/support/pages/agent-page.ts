import type { Page } from 'playwright-core';
import { login, type Member, PASSWORD } from '../../../support/builders';
import { waitForRemotePicture, waitUntilFrozen } from '../browser/moving-picture';
import { type Company, PatientApi } from '../company';
import { PAGE_HOST, sharedServers } from '../shared-servers';
import { loadPage } from './load-page';
import { byTestId, PATIENCE_MS, waitForTestId, waitUntilGone } from './test-id';

const firstOf = (agents: Member[]): Member => {
  if (!agents[0]) throw new Error('The company has no agents');
  return agents[0];
};

/** The console as far as an agent needs it for calls. */
export class AgentPage {
  private constructor(
    readonly page: Page,
    readonly member: Member,
  ) {}

  /** Opens the console. */
  static async open(page: Page, url = sharedServers().url): Promise<void> {
    await loadPage(page, () => page.goto(`${url}/console`, { timeout: PATIENCE_MS }));
    await waitForTestId(page, 'login-submit');
  }

  /**
   * Opens the console of somebody who has signed in before: the tokens are in the browser's storage. `logIn` does it by the
   * form, which takes longer.
   */
  static async signIn(
    page: Page,
    company: Company,
    member = firstOf(company.agents),
    url = sharedServers().url,
  ): Promise<AgentPage> {
    const apiUrl = url.replace(PAGE_HOST, sharedServers().address);
    const {
      token,
      refresh_token,
      api: _,
      ...user
    } = await login({ url: apiUrl, api: new PatientApi(apiUrl) }, company.tenant.slug, member.email);
    const tokens = JSON.stringify({ access_token: token, refresh_token, user });
    // Any answer of the service: storage belongs to an origin.
    await loadPage(page, () => page.goto(`${url}/healthz`, { timeout: PATIENCE_MS }));
    await page.evaluate((stored) => localStorage.setItem('vcq-staff', stored), tokens);
    await loadPage(page, () => page.goto(`${url}/console`, { timeout: PATIENCE_MS }));
    return AgentPage.of(page, member);
  }

  /** The console of somebody who is signed in already, for example in another way than by `logIn`. */
  static async of(page: Page, member: Member): Promise<AgentPage> {
    await waitForTestId(page, 'presence');
    return new AgentPage(page, member);
  }

  /** Signs in on the open console. */
  static async logIn(page: Page, company: Company, member = firstOf(company.agents)): Promise<AgentPage> {
    await AgentPage.sendPassword(page, company, member);
    return AgentPage.of(page, member);
  }

  /** Fills in the form of the login and sends it. */
  static async sendPassword(
    page: Page,
    { tenant }: Company,
    { email }: Member,
    password = PASSWORD,
  ): Promise<void> {
    await byTestId(page, 'login-tenant').fill(tenant.slug);
    await byTestId(page, 'login-email').fill(email);
    await byTestId(page, 'login-password').fill(password);
    await byTestId(page, 'login-submit').click();
  }

  find = (id: string) => byTestId(this.page, id);
  waitForId = (id: string) => waitForTestId(this.page, id);
  waitUntilGone = (id: string) => waitUntilGone(this.page, id);

  async click(id: string): Promise<void> {
    await this.find(id).first().click({ timeout: PATIENCE_MS });
  }

  /** Chooses whether the agent takes calls. @param label as the menu shows it */
  async choosePresence(label: string): Promise<void> {
    await this.find('presence').selectOption({ label }, { timeout: PATIENCE_MS });
  }

  /** Presses a key that changes something, as soon as it is not taken for a typed letter. */
  async pressKey(key: string): Promise<void> {
    await this.page.locator('html[data-keys="ready"]').waitFor({ timeout: PATIENCE_MS });
    await this.page.keyboard.press(key);
  }

  /** The keys in the list under the question mark. */
  async listedKeys(): Promise<string[]> {
    await this.page.keyboard.press('?');
    const list = await this.waitForId('shortcuts');
    const keys = await list.locator('kbd').allTextContents();
    await this.page.keyboard.press('Escape');
    await this.waitUntilGone('shortcuts');
    return keys;
  }

  /** Waits until a field is marked as wrong. */
  waitUntilRefused(id: string): Promise<void> {
    return this.page
      .locator(`[data-testid="${id}"][aria-invalid="true"]:visible`)
      .waitFor({ timeout: PATIENCE_MS });
  }

  /** Takes the call of a customer who waits. */
  async answer(customer = 'Clara Customer'): Promise<void> {
    const row = this.find('queue-row').filter({ hasText: customer }).first();
    await byTestId(row, 'answer').click({ timeout: PATIENCE_MS });
  }

  /** Waits until the customer's picture moves. */
  waitForPicture = () => waitForRemotePicture(this.page.getByTestId('remote-video'));
  waitUntilFrozen = () => waitUntilFrozen(this.page.getByTestId('remote-video'));

  /** Ends the call without the time to take it back. */
  async complete(): Promise<void> {
    const button = await this.waitForId('complete');
    await button.dblclick({ timeout: PATIENCE_MS });
    await this.waitUntilGone('complete');
  }

  /** Hands the active call over to another agent, who must accept, or to another department. */
  async transferTo(target: Member | { id: string; user_count: number }): Promise<void> {
    const kind = 'user_count' in target ? 'department' : 'agent';
    await this.click('transfer');
    const list = await this.waitForId('transfer-target');
    await list.selectOption(`${kind}:${target.id}`, { timeout: PATIENCE_MS });
    await this.click('transfer-submit');
  }

  async reload(): Promise<void> {
    await loadPage(this.page, () => this.page.reload({ timeout: PATIENCE_MS }));
  }

  /** Shows the chat beside the call. */
  async openChat(): Promise<void> {
    await this.click('tab-chat');
  }

  /** Writes a chat message. */
  async say(text: string): Promise<void> {
    await this.openChat();
    await (await this.waitForId('chat-input')).fill(text);
    await this.click('chat-send');
  }
}
