import { callScene, waitForPictures } from './support/call-scene';
import { waitForOtherTabs } from './support/browser/patient-claim';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

it('a second tab takes the call over, and the first one can take it back', async () => {
  const { agent, customer, company } = await scene.connected();
  const tab = await scene.pages.openTab(customer.page.context(), 'second tab');
  await waitForOtherTabs(tab);
  const second = await CustomerPage.open(tab, company.link);
  await second.waitForId('take-over');
  await customer.waitForPicture();

  await second.click('take-over');
  await waitForPictures(agent, second);
  await customer.waitForId('take-over');

  await customer.click('take-over');
  await waitForPictures(agent, customer);
  await second.waitForId('take-over');
  await agent.complete();
  await customer.waitFor('rating');
});
