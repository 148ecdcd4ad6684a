import { expectStatus } from '../support/builders';
import type { Json } from '../support/http/api';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { ForeignSite } from './support/foreign-site';
import { CustomerPage } from './support/pages/customer-page';
import { loadPage } from './support/pages/load-page';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();
const check = new BarrierCheck();
let site: ForeignSite;
let company: Company;

beforeAll(async () => {
  site = await ForeignSite.start();
});
afterAll(() => site?.stop());

beforeEach(async () => {
  company = await createCompany();
});

const allow = async (...allowed_sites: string[]) =>
  expectStatus(await company.tenant.owner.api.put('/api/v1/tenant', { allowed_sites }), 200);

const isPanel = (url: URL) => url.searchParams.has('embed');

async function leave({ call_id, websocket_token }: Json): Promise<void> {
  const { api } = webTest();
  expectStatus(await api.as(websocket_token).post(`/api/v1/call/cancel/${call_id}`), 200);
}

describe('the widget on another site', () => {
  it('opens the page in a frame where the company allows it, under a strict policy of the site', async () => {
    await allow(site.origin);
    const page = await scene.customerPage();
    await loadPage(page, () => page.goto(site.pageOf(company.link)));
    const button = page.frameLocator('iframe.button').getByRole('button');
    await button.waitFor({ timeout: PATIENCE_MS });
    await check.look(page, 'widget, button');
    await button.click();
    const frame = page.frameLocator('iframe.page');
    await frame.getByTestId('join-name').fill('Clara Customer', { timeout: PATIENCE_MS });
    await frame.getByTestId('join-submit').click();
    await frame.getByTestId('queue-position').waitFor({ timeout: PATIENCE_MS });

    await check.look(page, 'widget, panel');
    expect(check.found).toEqual([]);

    const agent = await scene.agent(company);
    await agent.answer();
    await agent.waitForPicture();
    await agent.complete();
    await frame.getByTestId('rating-5').waitFor({ timeout: PATIENCE_MS });
  });

  it('says how many wait, keeps the place in the line while it is closed, and opens when it is their turn', async () => {
    await allow(site.origin);
    const page = await scene.customerPage();
    await page.clock.install();
    await loadPage(page, () => page.goto(site.pageOf(company.link)));
    const button = page.frameLocator('iframe.button').getByRole('button');
    await button.filter({ hasText: 'Open, nobody is waiting' }).waitFor({ timeout: PATIENCE_MS });
    const ahead = await company.tenant.join(company.link);
    await until(async () => {
      await page.clock.fastForward(60_000);
      return (await button.textContent())?.includes('1 person waiting');
    });
    await leave(ahead);

    await page.route(isPanel, (route) => route.abort());
    await button.click({ timeout: PATIENCE_MS });
    const newTab = page.getByRole('link', { name: 'Open in a new tab' });
    await newTab.waitFor({ timeout: PATIENCE_MS });
    await page.getByRole('button', { name: /close/i }).click();
    await newTab.waitFor({ state: 'detached' });
    await page.unroute(isPanel);

    await button.click();
    const frame = page.frameLocator('iframe.page');
    await frame.getByTestId('join-name').fill('Clara Customer', { timeout: PATIENCE_MS });
    await frame.getByTestId('join-submit').click();
    await frame.getByTestId('queue-position').waitFor({ timeout: PATIENCE_MS });
    expect(await newTab.count()).toBe(0);
    await page.getByRole('button', { name: /close/i }).click();
    await frame.getByTestId('queue-position').waitFor({ state: 'hidden' });
    await button.click();
    await frame.getByTestId('queue-position').waitFor();
    const { body } = await company.tenant.owner.api.get('/api/v1/calls?status=queued');
    expect(body.data).toMatchObject([{ customer_name: 'Clara Customer' }]);

    await page.getByRole('button', { name: /close/i }).click();
    await frame.getByTestId('queue-position').waitFor({ state: 'hidden' });
    const { api } = company.agents[0] ?? company.tenant.owner;
    expectStatus(await api.post(`/api/v1/calls/${body.data[0].id}/assign`), 200);
    await frame.locator('[data-screen="called"]').waitFor({ timeout: PATIENCE_MS });
  });

  it('opens a new tab where the company does not allow frames', async () => {
    await allow('https://elsewhere.example');
    const page = await scene.customerPage();
    await loadPage(page, () => page.goto(site.pageOf(company.link)));
    const opened = page.context().waitForEvent('page', { timeout: PATIENCE_MS });
    const link = page.locator('a.link');
    await link.waitFor({ timeout: PATIENCE_MS });
    await check.look(page, 'widget, link');
    expect(check.found).toEqual([]);
    await link.click();
    const customer = new CustomerPage(await opened);
    await customer.waitFor('form');
    expect(new URL(customer.page.url()).pathname).toBe(`/c/${company.link.token}`);
    expect(await page.frameLocator('iframe.page').locator('body').count()).toBe(0);
  });
});
