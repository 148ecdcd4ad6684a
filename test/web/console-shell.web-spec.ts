import type { Page } from 'playwright-core';
import { BarrierCheck } from './support/browser/barrier-check';
import { expectStatus, type Member, PASSWORD } from '../support/builders';
import type { Role } from '../../src/platform/access/roles';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { sharedBrowser } from './support/browser/chromium';
import { AgentPage } from './support/pages/agent-page';
import { byTestId, waitForTestId } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';

const scene = callScene();

const OF_AGENTS = ['queue', 'calls', 'appointments', 'customers', 'links'];
const OF_SUPERVISORS = ['wall', 'reports', 'exports', 'departments', 'users', 'skills', 'tags'];
const OF_MANAGERS = ['webhooks', 'audit', 'settings', 'plan'];

const menuOf = (page: Page): Promise<string[]> =>
  page
    .locator('nav [data-testid^="nav-"]')
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute('data-testid')?.slice('nav-'.length) ?? ''),
    );

/** Those of the pages: the user's requests of this test have one, too. */
async function endOtherSessions({ api }: Member): Promise<void> {
  const { body } = await api.get('/api/v1/users/me/sessions');
  for (const { id, current } of body.data) if (!current) await api.delete(`/api/v1/users/me/sessions/${id}`);
}

describe('the console', () => {
  it.each<[Role, string[]]>([
    ['attendant', OF_AGENTS],
    ['supervisor', [...OF_AGENTS, ...OF_SUPERVISORS]],
    ['manager', [...OF_AGENTS, ...OF_SUPERVISORS, ...OF_MANAGERS]],
    ['owner', [...OF_AGENTS, ...OF_SUPERVISORS, ...OF_MANAGERS]],
  ])('shows the pages of the role %s alone', async (role, pages) => {
    const company = await createCompany({ agents: 0 });
    const member =
      role === 'owner' ? company.tenant.owner : await company.tenant.member(role, [company.department.id]);
    const { page } = await scene.agent(company, { member });
    expect(await menuOf(page)).toEqual(pages);
    if (!pages.includes('settings')) {
      await page.goto(`${sharedServers().url}/console/settings`);
      await page.getByText('Page not found').waitFor();
    }
  });

  it('keeps what was typed when the login expires', async () => {
    const company = await createCompany({ agents: 0 });
    const { owner } = company.tenant;
    const { page } = await scene.agent(company, { member: owner });
    await byTestId(page, 'nav-tags').click();
    await page.getByRole('button', { name: 'New' }).click();
    await byTestId(page, 'tag-name').fill('Invoices');
    await endOtherSessions(owner);
    await byTestId(page, 'save').click();
    await waitForTestId(page, 'login-password');
    // It belongs to the login, which does not close; the form below stays, too.
    await page.keyboard.press('Escape');
    await byTestId(page, 'login-tenant').fill(company.tenant.slug);
    await byTestId(page, 'login-password').fill(PASSWORD);
    await byTestId(page, 'login-submit').click();
    await byTestId(page, 'login-submit').waitFor({ state: 'detached' });
    expect(await byTestId(page, 'tag-name').inputValue()).toBe('Invoices');
    await byTestId(page, 'save').click();
    await waitForTestId(page, 'tag-row');
  });

  it('closes the topmost dialog alone by Escape', async () => {
    const company = await createCompany({ agents: 0 });
    const { owner } = company.tenant;
    expectStatus(await owner.api.post('/api/v1/tags', { name: 'Invoices', color: '#2563eb' }), 201);
    const { page } = await scene.agent(company, { member: owner });
    await byTestId(page, 'nav-tags').click();
    await page.getByRole('button', { name: 'Invoices' }).click();
    await byTestId(page, 'tag-name').fill('Bills');
    await byTestId(page, 'delete-tag').click();
    const question = page.getByRole('dialog', { name: 'Delete' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await byTestId(page, 'tag-name').inputValue()).toBe('Bills');
    await page.keyboard.press('Escape');
    await byTestId(page, 'tag-name').waitFor({ state: 'detached' });
  });

  it('offers a reload when its version is old', async () => {
    const company = await createCompany();
    const page = await scene.pages.open(await sharedBrowser(), 'agent');
    await AgentPage.open(page);
    await page.route('**/console', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.replace(/"version":"[^"]+"/, '"version":"newer"') });
    });
    await AgentPage.logIn(page, company);
    await waitForTestId(page, 'new-version');
  });

  it('has no invisible links in a narrow window', async () => {
    const company = await createCompany();
    const agent = await scene.agent(company);
    const { page, find } = agent;
    await page.setViewportSize({ width: 820, height: 900 });
    await find('nav-calls').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await agent.click('nav-calls');
    await find('nav-calls').waitFor({ state: 'hidden' });
  });

  it('has no barriers', async () => {
    const check = new BarrierCheck();
    const company = await createCompany({ agents: 0 });
    const { page } = await scene.agent(company, { member: company.tenant.owner });
    await byTestId(page, 'nav-tags').click();
    await page.getByRole('button', { name: 'New' }).waitFor();
    await check.look(page, 'tags');
    await page.getByRole('button', { name: 'New' }).click();
    await waitForTestId(page, 'tag-name');
    await check.look(page, 'new tag');
    expect(check.found).toEqual([]);
  });
});
