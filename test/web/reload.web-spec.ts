import { expectStatus } from '../support/builders';
import { callScene, waitForPictures } from './support/call-scene';
import { until } from '../support/until';
import { createCallingCompany, createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

describe('a reloaded page', () => {
  it('has what was typed into the form, until it was sent', async () => {
    const company = await createCompany();
    const customer = await CustomerPage.open(await scene.customerPage(), company.link);
    await customer.find('join-name').fill('Clara Customer');
    await customer.find('join-reason').fill('My card');
    const kept = () => customer.page.evaluate(() => JSON.stringify(history.state));
    await until(async () => (await kept()).includes('My card'));
    await customer.reload();
    await customer.waitFor('form');
    expect(await customer.find('join-name').inputValue()).toBe('Clara Customer');
    expect(await customer.find('join-reason').inputValue()).toBe('My card');
    await customer.click('join-submit');
    await customer.waitFor('waiting');
    expect(await kept()).not.toContain('Clara');
  });

  it('continues in the line, when called, and at the rating', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company);
    await customer.reload();
    await customer.waitFor('waiting');
    const { body } = await company.tenant.owner.api.get('/api/v1/calls');
    expect(body.data).toHaveLength(1);
    const { api } = company.agents[0] ?? company.tenant.owner;

    await api.post(`/api/v1/calls/${body.data[0].id}/assign`);
    await customer.waitFor('called');
    await customer.reload();
    await customer.waitFor('called');

    await api.post(`/api/v1/calls/${body.data[0].id}/start`);
    await customer.waitFor('in_call');
    await api.post(`/api/v1/calls/${body.data[0].id}/complete`);
    await customer.waitFor('rating');
    await customer.reload();
    await customer.waitFor('rating');
    await customer.click('rating-5');
    await customer.click('rating-submit');
    await customer.waitForId('rating-thanks');
    await customer.reload();
    await customer.waitFor('form');
  });

  it('continues while the customer waits to be called back, and returns an invited one', async () => {
    const company = await createCallingCompany();
    // The service calls the next customer of a line back at once.
    const ahead = await company.tenant.join(company.link);
    const customer = await CustomerPage.open(await scene.customerPage(), company.link);
    await customer.join('Clara Customer', { email: 'clara@example.com' });
    await customer.click('request-callback');
    await customer.waitFor('callback');
    await customer.reload();
    await customer.waitFor('callback');
    await customer.find('callback-address').filter({ hasText: 'clara@example.com' }).waitFor();
    await customer.click('callback-cancel');
    await customer.waitFor('waiting');

    await customer.click('request-callback');
    await customer.waitFor('callback');
    const path = `/api/v1/call/cancel/${ahead.call_id}`;
    expectStatus(await webTest().api.as(ahead.websocket_token).post(path), 200);
    await customer.waitForId('callback-return');
    // Loading the page counts as the return.
    await customer.reload();
    await customer.waitFor('waiting');
  });

  it.each(['customer', 'agent', 'both'])('continues a call after a reload of %s', async (who) => {
    const { agent, customer } = await scene.connected();
    if (who === 'customer') await customer.reload();
    if (who === 'agent') await agent.reload();
    if (who === 'both') await Promise.all([customer.reload(), agent.reload()]);
    await waitForPictures(agent, customer);
    if (who === 'customer') {
      await customer.click('toggle-camera');
      await customer.waitUntilGone('local-video');
      await customer.reload();
      await customer.waitForPicture();
      expect(await customer.find('local-video').isVisible()).toBe(false);
    }
    await agent.complete();
    await customer.waitFor('rating');
  });
});
