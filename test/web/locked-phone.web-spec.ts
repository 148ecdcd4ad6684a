import { until } from '../support/until';
import { freeze } from './support/browser/lifecycle';
import { callScene, waitForPictures } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { OwnService } from './support/own-service';
import type { CustomerPage } from './support/pages/customer-page';

const scene = callScene();

/** The only call of the company. */
async function callOf({ tenant }: Company, { db } = webTest()) {
  const { rows } = await db.query('SELECT * FROM calls WHERE tenant_id = $1', [tenant.id]);
  return rows[0];
}

/** Begins again, and finds in the form what was typed. */
async function joinAgain(customer: CustomerPage): Promise<void> {
  await customer.page.getByRole('button', { name: /join the line again/i }).click();
  await customer.waitFor('form');
  expect(await customer.find('join-name').inputValue()).toBe('Clara Customer');
}

const said = async (customer: CustomerPage) => (await customer.page.locator('main').textContent()) ?? '';

describe('a customer whose phone locks in the line', () => {
  it('keeps the place', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company);
    const wake = await freeze(customer.page);
    await until(async () => (await callOf(company)).absent_since !== null);
    await wake();
    await until(async () => (await callOf(company)).absent_since === null);
    await customer.waitFor('waiting');
    expect(await customer.find('queue-position').textContent()).toBe('1');
    const agent = await scene.agent(company);
    await agent.answer();
    await waitForPictures(agent, customer);
  });

  describe('for longer than the place is kept', () => {
    let service: OwnService;
    beforeAll(async () => {
      service = await OwnService.start({ QUEUE_ABSENCE_SECONDS: '5' });
    });
    afterAll(async () => {
      await service?.stop();
    });

    it('learns why the place has ended, and can join again', async () => {
      const company = await createCompany({}, service.test);
      const customer = await scene.waiting(company, { url: service.url });
      const wake = await freeze(customer.page);
      await until(async () => (await callOf(company, service.test)).status === 'abandoned');
      await wake();
      await customer.waitFor('over');
      expect(await (await customer.waitForId('error-title')).textContent()).toBe(
        'You were away for too long',
      );
      await joinAgain(customer);
    });
  });
});

describe('a customer whose phone locks in a call', () => {
  it('is connected again within the grace period', async () => {
    const { agent, customer, company } = await scene.connected();
    const wake = await freeze(customer.page);
    await until(async () => (await callOf(company)).disconnected_at !== null);
    await wake();
    await waitForPictures(agent, customer);
    expect(await callOf(company)).toMatchObject({ status: 'active' });
  });

  it('learns afterwards that the call is over, and can join again', async () => {
    const { customer, company } = await scene.connected();
    const wake = await freeze(customer.page);
    await until(async () => (await callOf(company)).status === 'completed');
    await wake();
    await customer.waitFor('rating');
    expect(await said(customer)).toMatch(/The connection was lost/);
    await joinAgain(customer);
  });
});
