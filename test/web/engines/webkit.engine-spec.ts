import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { Browser, Builder, By, until as shows, type WebDriver } from 'selenium-webdriver';
import { freePort } from '../../../src/platform/database/embedded/free-port';
import { PASSWORD } from '../../support/builders';
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

  it('shows each page of the console', async () => {
    await open('/console');
    await (await find('login-tenant')).sendKeys(company.tenant.slug);
    await (await find('login-email')).sendKeys(company.tenant.owner.email);
    await (await find('login-password')).sendKeys(PASSWORD);
    await (await find('login-submit')).click();
    await find('presence');
    const paths = await driver.executeScript<string[]>(
      `return [...document.querySelectorAll('[data-testid^="nav-"]')].map((link) => link.getAttribute('href'))`,
    );
    expect(paths.length).toBeGreaterThan(10);
    const titles = new Set<string>();
    for (const path of paths) {
      await driver.findElement(By.css(`[data-testid^="nav-"][href="${path}"]`)).click();
      const title: string = await until(async () => {
        const shown = await driver.executeScript<{ path: string; title?: string }>(
          `return { path: location.pathname, title: document.querySelector('main h1')?.textContent }`,
        );
        return shown.path === path && shown.title && !titles.has(shown.title) && shown.title;
      });
      titles.add(title);
    }
    expect(titles).not.toContain('This page could not be shown');
  });
});
