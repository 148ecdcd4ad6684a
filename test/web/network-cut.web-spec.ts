import { callScene, waitForPictures } from './support/call-scene';
import { browserInNamespace } from './support/network/browser-in-namespace';
import { until } from '../support/until';
import { type Company, createCompany, webTest } from './support/company';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();
const customers = browserInNamespace();

describe('a customer whose network is cut', () => {
  customers.it('is connected again when it returns within the grace period', async () => {
    const { agent, customer, company } = await scene.connected(undefined, { browser: customers.browser });
    await customers.network.cut('everything');
    await customer.waitForId('reconnecting');
    // The service has noticed the loss, too, and its grace period runs.
    await until(async () => (await callOf(company)).disconnected_at !== null);
    await customers.network.heal();
    await waitForPictures(agent, customer);
    await customer.waitUntilGone('reconnecting');
    // Media can be back before the socket is.
    await until(async () => (await callOf(company)).reconnected_at !== null);
    expect(await callOf(company)).toMatchObject({ status: 'active' });
  });

  customers.it('is connected again with another address', async () => {
    const { agent, customer, company } = await scene.connected(undefined, { browser: customers.browser });
    await customers.network.cut('everything');
    await customer.waitForId('reconnecting');
    await customers.network.changeAddress();
    await customers.network.heal();
    await waitForPictures(agent, customer);
    await customer.waitUntilGone('reconnecting');
    expect(await callOf(company)).toMatchObject({ status: 'active' });
  });

  customers.it('sees that the call is over when it returns too late, and can join again', async () => {
    const { agent, customer, company } = await scene.connected(undefined, { browser: customers.browser });
    await customers.network.cut('everything');
    await agent.waitForId('reconnecting');
    await agent.waitUntilGone('complete');
    expect(await callOf(company)).toMatchObject({ status: 'completed', end_reason: 'disconnect' });
    await customers.network.heal();
    await customer.waitFor('rating');
    expect(await customer.page.locator('main').textContent()).toMatch(/connection was lost/i);
    await customer.page.getByRole('button', { name: /join the line again/i }).click();
    await customer.waitFor('form');
    await agent.click('nav-calls');
    await agent.page.getByRole('link', { name: 'Clara Customer' }).click();
    await agent.page.getByText('The call dropped: the customer had lost the connection').waitFor();
  });

  customers.it('keeps its place in the line', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company, { browser: customers.browser });
    await customers.network.cut('everything');
    await customer.page.getByText(/trying to reconnect/i).waitFor({ timeout: PATIENCE_MS });
    const [agent] = await Promise.all([scene.agent(company), customers.network.heal()]);
    await customer.page.getByText(/trying to reconnect/i).waitFor({ state: 'hidden', timeout: PATIENCE_MS });
    await agent.answer();
    await waitForPictures(agent, customer);
  });
});

/** The only call of a company. */
async function callOf({ tenant }: Company) {
  const { rows } = await webTest().db.query('SELECT * FROM calls WHERE tenant_id = $1', [tenant.id]);
  return rows[0];
}
