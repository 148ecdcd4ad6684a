import { type ChildProcess, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, Builder, By, until as shows, type WebDriver } from 'selenium-webdriver';
import { freePort } from '../../support/free-port';
import { expectStatus, PASSWORD } from '../../support/builders';
import { until } from '../../support/until';
import { type Company, createCompany } from '../support/company';
import { PATIENCE_MS } from '../support/pages/test-id';
import { sharedServers } from '../support/shared-servers';
import { endProcess, VirtualDesktop } from './virtual-desktop';

const WEBKIT = {
  browserName: 'MiniBrowser',
  'webkitgtk:browserOptions': {
    binary: process.env.MINIBROWSER_PATH ?? globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0],
    args: ['--automation'],
  },
};

let desktop: VirtualDesktop;
let service: ChildProcess;
let driver: WebDriver;
let company: Company;

beforeAll(async () => {
  desktop = await VirtualDesktop.start();
  const port = await freePort();
  service = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    // Without a language WebKit says that the reader's is "C", which is none.
    env: { ...process.env, ...desktop.env, LANG: 'en_US.UTF-8', LANGUAGE: 'en_US' },
  });
  const server = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${server}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  driver = await new Builder()
    .usingServer(server)
    .forBrowser(Browser.SAFARI)
    .withCapabilities(WEBKIT)
    .build();
  company = await createCompany();
});
afterAll(async () => {
  await driver?.quit();
  if (service) await endProcess(service);
  await desktop?.stop();
});

const open = (path: string) => driver.get(sharedServers().url + path);

/** Waits until an element is visible. */
async function find(id: string) {
  const found = await driver.wait(shows.elementLocated(By.css(`[data-testid="${id}"]`)), PATIENCE_MS, id);
  return driver.wait(shows.elementIsVisible(found), PATIENCE_MS, id);
}

describe('WebKitGTK, which has no WebRTC', () => {
  it('shows customers that it makes no video calls, and lets them talk in writing and rate', async () => {
    const { link, tenant, agents } = company;
    await open(`/c/${link.token}?lang=en`);
    expect(await (await find('error-title')).getText()).toBe('This browser cannot make video calls');
    await driver.findElement(By.xpath('//button[.="Go on without camera and microphone"]')).click();
    await (await find('join-name')).sendKeys('Clara Customer');
    await (await find('join-submit')).click();
    expect(await (await find('queue-position')).getText()).toBe('1');

    const { body } = await tenant.owner.api.get('/api/v1/calls');
    const call = `/api/v1/calls/${body.data[0].id}`;
    const agent = agents[0]?.api;
    expect((await agent?.post(`${call}/start`))?.status).toBe(200);
    await find('hang-up');
    expect((await agent?.post(`${call}/complete`, {}))?.status).toBe(200);
    await (await find('rating-submit')).isDisplayed();
    // The radio buttons are drawn by their labels.
    await driver.findElement(By.css('label:has([data-testid="rating-4"])')).click();
    await (await find('rating-submit')).click();
    await find('rating-thanks');
    expect((await tenant.owner.api.get(call)).body.data.rating).toBe(4);
  });

  it('shows each page of the console with its content', async () => {
    const pages = await pagesWithContent(company);
    await open('/console');
    await (await find('login-tenant')).sendKeys(company.tenant.slug);
    await (await find('login-email')).sendKeys(company.tenant.owner.email);
    await (await find('login-password')).sendKeys(PASSWORD);
    await (await find('login-submit')).click();
    await find('presence');
    const linked = await driver.executeScript<string[]>(
      `return [...document.querySelectorAll('[data-testid^="nav-"]')].map((link) => link.getAttribute('href'))`,
    );
    const known = Object.keys(pages).map((path) => path.replace(/[\da-f]{8}-[\da-f-]{27}/, '$$id'));
    expect(known.toSorted()).toEqual(definedPaths().toSorted());
    for (const [path, content] of Object.entries(pages)) {
      if (linked.includes(path))
        await driver.findElement(By.css(`[data-testid^="nav-"][href="${path}"]`)).click();
      else await open(path);
      const found = await driver.wait(shows.elementLocated(By.css(content)), PATIENCE_MS, path);
      await driver.wait(shows.elementIsVisible(found), PATIENCE_MS, path);
      const title = await driver.findElement(By.css('main h1')).getText();
      expect([path, title]).not.toEqual([path, 'This page could not be shown']);
      expect(await found.isDisplayed()).toBe(true);
    }
  });
});

const byId = (id: string, inside = '') => `main [data-testid="${id}"]${inside}`;
const row = ' .body [role="row"]';

/** The paths of the console's router. */
const definedPaths = (): string[] =>
  [
    ...readFileSync(join(__dirname, '../../../web/console/app/pages.ts'), 'utf8').matchAll(/path: '(.*)'/g),
  ].map(([, path]) => `/console${path}`);

/** All pages of the console, each with an element that shows data of the company. */
async function pagesWithContent({
  tenant,
  department,
  link,
  agents,
}: Company): Promise<Record<string, string>> {
  const { id: user_id, api } = tenant.owner;
  const created = async (path: string, body: object): Promise<string> => {
    const answer = await api.post(`/api/v1/${path}`, body);
    expectStatus(answer, 201);
    return answer.body.data.id;
  };
  const customer_id = await created('customers', { name: 'Clara Customer' });
  await created('appointments', {
    user_id,
    customer_id,
    department_id: department.id,
    // Now, since the calendar shows this week.
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 1_800_000).toISOString(),
  });
  await created('canned-replies', { title: 'Greeting', text: 'Good morning' });
  await created('skills', { name: 'French' });
  await created('tags', { name: 'Complaint', color: '#dc2626' });
  const webhook = await created('webhooks', { url: 'https://example.com/calls', events: ['call.completed'] });
  const { call_id } = await tenant.join(link, { name: 'Otto Other' });
  expectStatus(await agents[0]?.api.post(`/api/v1/calls/${call_id}/start`), 200);
  expectStatus(await agents[0]?.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  await tenant.join(link, { name: 'Walter Waiting' });
  return {
    '/console/': byId('queue-row'),
    '/console/calls': byId('call-status'),
    [`/console/calls/${call_id}`]: byId('call-facts', ' [data-testid="call-status"]'),
    '/console/appointments': byId('calendar', ' .ec-event'),
    '/console/customers': `main${row}`,
    [`/console/customers/${customer_id}`]: byId('customer-facts'),
    '/console/links': byId('links', row),
    '/console/canned-replies': byId('replies', row),
    '/console/wall': byId('wall-line'),
    '/console/reports': byId('report-hourly', ' canvas'),
    '/console/exports': byId('export-count'),
    '/console/departments': byId('departments', row),
    [`/console/departments/${department.id}`]: byId('department-name'),
    '/console/users': byId('users', row),
    '/console/skills': byId('skills', row),
    '/console/tags': byId('tag-row'),
    '/console/webhooks': byId('webhooks', row),
    [`/console/webhooks/${webhook}`]: byId('webhook-test'),
    '/console/audit': byId('audit', row),
    '/console/settings': byId('company-name'),
    '/console/plan': byId('plan-status'),
    '/console/account': byId('own-name'),
  };
}
