import { generateSync } from 'otplib';
import type { BrowserContext, Page } from 'playwright-core';
import { BarrierCheck } from './support/browser/barrier-check';
import { expectStatus, type Member, PASSWORD } from '../support/builders';
import { until } from '../support/until';
import type { Role } from '../../src/platform/access/roles';
import { hasRole } from '../../web/console/state/roles';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { sharedBrowser } from './support/browser/chromium';
import { AgentPage } from './support/pages/agent-page';
import { byTestId, waitForTestId } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';
import { loadPage } from './support/pages/load-page';

const scene = callScene();

const OF_AGENTS = ['queue', 'calls', 'appointments', 'customers', 'links', 'canned-replies'];
const OF_SUPERVISORS = ['wall', 'reports', 'exports', 'departments', 'users', 'skills', 'tags'];
const OF_MANAGERS = ['webhooks', 'audit', 'settings', 'plan'];

/** Controls that not all roles have who see their page: the way to them, and what stands beside them. */
const RESTRICTED: { path: [nav: string, ...clicks: string[]]; shown: string; control: string; role: Role }[] =
  [
    { path: ['links'], shown: '[data-testid=link-create]', control: 'link-batch', role: 'supervisor' },
    {
      path: ['customers', 'a:text-is("Paul")'],
      shown: '[data-testid=customer-edit]',
      control: 'customer-erase',
      role: 'manager',
    },
    {
      path: ['customers', '[data-testid=customer-duplicates]'],
      shown: '[data-testid=duplicate-group]',
      control: 'merge',
      role: 'supervisor',
    },
    { path: ['reports'], shown: '[data-testid=report-age]', control: 'report-refresh', role: 'supervisor' },
    {
      path: ['canned-replies'],
      shown: 'h1:text-is("Canned replies")',
      control: 'new-reply',
      role: 'supervisor',
    },
    { path: ['users'], shown: '[data-testid=users]', control: 'invite', role: 'manager' },
  ];

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

const MFA = '/api/v1/users/me/mfa';
const STEP_SECONDS = 30;

/** Sets up two-step login. @returns the code of a later time, because each one can be used only once */
async function enrol({ api }: Member): Promise<() => string> {
  const { body } = await api.post(MFA, {});
  const { secret } = body.data;
  expectStatus(await api.post(`${MFA}/confirm`, { code: generateSync({ secret }) }), 200);
  return () => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + STEP_SECONDS });
}

/** Replaces the stored access token by one that has expired. */
const expireToken = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('vcq-staff') ?? '{}');
    const [header, , signature] = stored.access_token.split('.');
    const payload = btoa(JSON.stringify({ iat: 1_700_000_000, exp: 1_700_000_900 })).replaceAll('=', '');
    stored.access_token = [header, payload, signature].join('.');
    localStorage.setItem('vcq-staff', JSON.stringify(stored));
  });

/** Counts the requests for new tokens, which are answered when both tabs want one. */
async function countRenewals(context: BrowserContext, tab: Page): Promise<() => number> {
  let count = 0;
  const waiting = () =>
    tab.evaluate(async () => (await navigator.locks.query()).pending?.length).catch(() => 0);
  await context.route('**/api/auth/refresh', async (route) => {
    count += 1;
    await until(async () => count > 1 || (await waiting()) === 1);
    await route.continue();
  });
  return () => count;
}

describe('the console', () => {
  it('asks for the password and a code, and renews the login of all tabs by one request', async () => {
    const company = await createCompany();
    const [member] = company.agents as [Member];
    const page = await scene.pages.open(await sharedBrowser(), 'agent');
    await AgentPage.open(page);
    await AgentPage.sendPassword(page, company, member, 'a wrong passphrase');
    await page.locator('form [role=alert]', { hasText: 'Company, e-mail or password is wrong.' }).waitFor();
    const codeNow = await enrol(member);
    await AgentPage.sendPassword(page, company, member);
    const code = await waitForTestId(page, 'mfa-code');
    await code.fill('000000');
    await byTestId(page, 'login-submit').click();
    await page.getByText('The code is wrong or already used.').waitFor();
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    await code.fill(codeNow());
    await byTestId(page, 'login-submit').click();
    await AgentPage.of(page, member);

    const context = page.context();
    const tab = await scene.pages.openTab(context, 'second tab');
    await expireToken(page);
    const renewals = await countRenewals(context, page);
    await Promise.all([
      loadPage(page, () => page.reload()),
      loadPage(tab, () => tab.goto(`${sharedServers().url}/console`)),
    ]);
    for (const one of [page, tab]) {
      await byTestId(one, 'presence').and(one.locator('[data-state=available]')).waitFor();
      await byTestId(one, 'connection').waitFor({ state: 'hidden' });
      const calls = one.waitForResponse((response) => response.url().includes('/api/v1/calls?'));
      await byTestId(one, 'nav-calls').click();
      expect((await calls).status()).toBe(200);
    }
    expect(renewals()).toBe(1);
  });

  it.each<[Role, string[]]>([
    ['attendant', OF_AGENTS],
    ['supervisor', [...OF_AGENTS, ...OF_SUPERVISORS]],
    ['manager', [...OF_AGENTS, ...OF_SUPERVISORS, ...OF_MANAGERS]],
    ['owner', [...OF_AGENTS, ...OF_SUPERVISORS, ...OF_MANAGERS]],
  ])('shows the pages of the role %s alone', async (role, pages) => {
    const company = await createCompany({ agents: 0 });
    const member =
      role === 'owner' ? company.tenant.owner : await company.tenant.member(role, [company.department.id]);
    const { api } = company.tenant.owner;
    for (const name of ['Paul', 'Paula']) {
      expectStatus(await api.post('/api/v1/customers', { name, phone: '+55 11 91234-5678' }), 201);
    }
    const agent = await scene.agent(company, { member });
    const { page } = agent;
    expect(await menuOf(page)).toEqual(pages);
    const found: string[] = [];
    for (const { path, shown, control } of RESTRICTED.filter(({ path: [nav] }) => pages.includes(nav))) {
      await agent.click(`nav-${path[0]}`);
      for (const step of path.slice(1)) await page.locator(step).first().click();
      await page.locator(shown).first().waitFor();
      if ((await agent.find(control).count()) > 0) found.push(control);
    }
    const controls = RESTRICTED.filter((one) => hasRole(role, one.role)).map(({ control }) => control);
    expect(found).toEqual(controls);
    if (!pages.includes('settings')) {
      await loadPage(page, () => page.goto(`${sharedServers().url}/console/settings`));
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

  it('asks supervisors once whether they take calls', async () => {
    const company = await createCompany({ routing: 'automatic', agents: 0 });
    const { tenant, department, link } = company;
    const [taking, reading] = [
      await tenant.member('supervisor', [department.id]),
      await tenant.member('manager', [department.id]),
    ];
    await tenant.join(link);
    const reader = await scene.agent(company, { member: reading });
    await reader.waitForId('takes-calls');
    const check = new BarrierCheck();
    await check.look(reader.page, 'whether one takes calls');
    expect(check.found).toEqual([]);
    expect(await reader.find('presence').inputValue()).toBe('away:not_taking_calls');
    await reader.click('takes-calls-no');
    await reader.find('takes-calls').waitFor({ state: 'detached' });
    const desk = await scene.agent(company, { member: taking });
    await desk.click('takes-calls-yes');
    await desk.waitForId('offer');
    await desk.find('takes-calls').waitFor({ state: 'detached' });
    await loadPage(reader.page, () => reader.page.reload());
    await reader.waitForId('presence');
    await reader.page.locator('[data-testid="presence"][data-state="paused"]').waitFor();
    expect(await reader.find('takes-calls').count()).toBe(0);
    expect(await reader.find('presence').inputValue()).toBe('away:not_taking_calls');
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
    // The changed name is not lost without a question.
    await byTestId(page, 'leave').click();
    await byTestId(page, 'tag-name').waitFor({ state: 'detached' });
  });

  it('offers a reload when its version is old', async () => {
    const company = await createCompany();
    const page = await scene.pages.open(await sharedBrowser(), 'agent');
    await AgentPage.open(page);
    await page.route('**/console', async (route) => {
      const response = await route.fetch({ url: `${sharedServers().api_url}/console` });
      const body = await response.text();
      await route.fulfill({ response, body: body.replace(/"version":"[^"]+"/, '"version":"newer"') });
    });
    await AgentPage.logIn(page, company);
    await waitForTestId(page, 'new-version');
  });

  it('has the language and the colours of the account menu, and no invisible links in a narrow window', async () => {
    const company = await createCompany();
    const agent = await scene.agent(company);
    const { page, find } = agent;
    const choose = async (name: string) => {
      await agent.click('account-menu');
      await page.getByRole('menuitemradio', { name }).click();
    };
    for (const [language, code, calls] of [
      ['Español', 'es', 'Llamadas'],
      ['Português', 'pt', 'Chamadas'],
      ['English', 'en', 'Calls'],
    ] as const) {
      await choose(language);
      await find('nav-calls').getByText(calls, { exact: true }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toMatch(new RegExp(`^${code}`));
    }
    for (const scheme of ['Dark', 'Light']) {
      await choose(scheme);
      await page
        .locator(`html[data-mantine-color-scheme=${scheme.toLowerCase()}]`)
        .waitFor({ state: 'attached' });
    }
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
