import { expectStatus } from '../support/builders';
import { callScene } from './support/call-scene';
import { createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

describe('a line without a reachable agent', () => {
  it('says so instead of a time, before and after joining, and what one can do', async () => {
    const company = await createCompany({ callback_enabled: true });
    const customer = await CustomerPage.open(await scene.customerPage(), company.link);
    await customer.waitFor('form');
    const facts = await customer.page.locator('.facts').textContent();
    expect(facts).toContain('Nobody is available to answer right now. You can join the line and wait.');
    expect(facts).not.toMatch(/minute/);
    await customer.join('Clara Customer');
    expect(await customer.find('queue-wait').textContent()).toBe('Not known right now');
    await customer.page.getByText('Nobody may be available at the moment. You keep your place.').waitFor();
    await customer.waitForId('request-callback');
    await customer.waitForId('leave-queue');
  });

  it('offers no callback where the company makes none', async () => {
    const customer = await scene.waiting(await createCompany());
    await customer.waitForId('leave-queue');
    expect(await customer.find('request-callback').count()).toBe(0);
  });
});

describe('an agent who takes the call and does not begin it', () => {
  it('gives it back: the customer hears it, and is called again', async () => {
    const company = await createCompany({ agents: 2 });
    const customer = await scene.waiting(company);
    const [first, second] = company.agents;
    const { body } = await company.tenant.owner.api.get('/api/v1/calls');
    const { id } = body.data[0];
    expectStatus(await first.api.post(`/api/v1/calls/${id}/assign`), 200);
    await customer.waitFor('called');
    expect(await customer.page.getByRole('alert').allTextContents()).toContain(
      'It is your turn! The call begins in a moment.',
    );
    await webTest().db.query('UPDATE calls SET ring_deadline = now() WHERE id = $1', [id]);
    await customer.waitFor('waiting');
    await customer.page.getByText('Sorry, nobody could answer just then.').waitFor();
    expect(await customer.find('queue-position').textContent()).toBe('1');
    expectStatus(await second.api.post(`/api/v1/calls/${id}/assign`), 200);
    await customer.waitFor('called');
  });
});
