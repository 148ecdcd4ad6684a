import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { sharedServers } from './support/shared-servers';

const SCRIPTS = /\/assets\/.*\.js$/;

const scene = callScene();
let company: Company;

beforeAll(async () => (company = await createCompany()));

async function pageWithout(scripts: RegExp, times?: number) {
  const page = await scene.customerPage();
  await page.route(scripts, (route) => route.abort('connectionreset'), { times });
  await page.goto(`${sharedServers().url}/c/${company.link.token}`, { waitUntil: 'commit' });
  return { page, customer: new CustomerPage(page) };
}

async function join(customer: CustomerPage) {
  await (await customer.waitForId('join-name')).fill('Clara Customer');
  await customer.click('join-submit');
  await customer.waitFor('waiting');
}

it('a page whose script was dropped by the network loads itself again', async () => {
  const { page, customer } = await pageWithout(/\/assets\/customer-.*\.js$/, 2);
  // Ready, and a later drop may reload it as often.
  await page.waitForFunction(
    () => document.documentElement.dataset.ready === 'true' && !history.state?.reloads,
  );
  await join(customer);
});

it('a page none of whose scripts arrives offers to load it again', async () => {
  const { page, customer } = await pageWithout(SCRIPTS);
  const link = page.locator('.stalled a');
  await link.waitFor({ state: 'attached' });
  expect(await link.isVisible()).toBe(false);
  // Its seconds are over.
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await link.waitFor();
  await page.unroute(SCRIPTS);
  await link.click();
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  expect(await link.count()).toBe(0);
  await join(customer);
});
