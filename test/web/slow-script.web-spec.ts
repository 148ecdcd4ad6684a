import { until } from '../support/until';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { sharedServers } from './support/shared-servers';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

it('a customer who is faster than the script types a name, and can join once the script has arrived', async () => {
  const { link } = await createCompany();
  const page = await scene.customerPage();
  const delivery = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await delivery.promise;
    await route.continue();
  });
  await page.goto(`${sharedServers().url}/c/${link.token}`, { waitUntil: 'commit' });
  const customer = new CustomerPage(page);
  await (await customer.waitForId('join-name')).fill('Clara Customer');
  expect(await customer.find('join-submit').isDisabled()).toBe(true);
  delivery.resolve();
  // A reload would bring it back.
  await until(async () => JSON.stringify(await page.evaluate(() => history.state))?.includes('Clara'));
  await customer.click('join-submit');
  await customer.waitFor('waiting');
});
