import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Member } from '../../support/builders';
import { type Company, createCompany } from './company';
import { sharedBrowser } from './browser/chromium';
import { openPages } from './browser/open-pages';
import { AgentPage } from './pages/agent-page';
import { CustomerPage } from './pages/customer-page';

interface SceneOptions {
  /** The browser, by default the shared one. */
  browser?: Browser;
  /** Options of the context. */
  context?: BrowserContextOptions;
  /** The service, by default the shared one. */
  url?: string;
  /** Whether a customer lets the camera start at once; true by default. */
  isReadyAtOnce?: boolean;
}

/** Runs in the page. */
function pressReady(): void {
  new MutationObserver(() => document.querySelector<HTMLElement>('[data-testid="ready"]')?.click()).observe(
    document,
    { childList: true, subtree: true },
  );
}

/** Opens pages of customers and agents that take part in calls. They are closed after each test of the describe block. */
export function callScene() {
  const pages = openPages();

  return {
    pages,

    /** Signs an agent in to the console. */
    async agent(
      company: Company,
      { member = company.agents[0], browser, context, url }: SceneOptions & { member?: Member } = {},
    ): Promise<AgentPage> {
      const page = await pages.open(browser ?? (await sharedBrowser()), `agent ${member?.name}`, context);
      return AgentPage.signIn(page, company, member, url);
    },

    /** Opens an empty page for a customer, who presses "Ready" as soon as the page asks, unless the test does it. */
    async customerPage({ browser, context, isReadyAtOnce = true }: SceneOptions = {}) {
      const isWhole = context?.permissions !== undefined;
      const page = await pages.open(browser ?? (await sharedBrowser({ isWhole })), 'customer', context);
      if (isReadyAtOnce) await page.context().addInitScript(pressReady);
      return page;
    },

    /** Lets a customer join the company's queue. */
    async waiting(company: Company, options: SceneOptions = {}): Promise<CustomerPage> {
      return CustomerPage.join(await this.customerPage(options), company.link, undefined, options.url);
    },

    /**
     * Connects a customer with the company's first agent, and waits until both see each other.
     * @param company by default a new one
     * @param options those of the customer; the agent uses another browser if the service is not the shared one
     */
    async connected(company?: Company, options: SceneOptions = {}) {
      const callers = company ?? (await createCompany());
      const [agent, customer] = await Promise.all([
        this.agent(callers, options.url ? options : {}),
        this.waiting(callers, options),
      ]);
      await agent.answer();
      await waitForPictures(agent, customer);
      return { agent, customer, company: callers };
    },
  };
}

/** Waits until both sides see each other's moving pictures. */
export async function waitForPictures(agent: AgentPage, customer: CustomerPage): Promise<void> {
  await Promise.all([agent.waitForPicture(), customer.waitForPicture()]);
}
