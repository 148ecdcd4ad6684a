import { expectStatus } from '../support/builders';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const check = new BarrierCheck();

it('behind the link of an appointment, the page shows time, agent and topic, and does not ask for the name', async () => {
  const company = await createCompany();
  const { api } = company.tenant.owner;
  const [agent] = company.agents;
  const customer = await api.post('/api/v1/customers', { name: 'Carla Lima', email: 'carla@example.com' });
  expectStatus(customer, 201);
  const soon = new Date(Date.now() + 4 * 60_000);
  const booked = await api.post('/api/v1/appointments', {
    user_id: agent?.id,
    customer_id: customer.body.data.id,
    department_id: company.department.id,
    title: 'Contract renewal',
    starts_at: soon.toISOString(),
    ends_at: new Date(soon.getTime() + 30 * 60_000).toISOString(),
  });
  expectStatus(booked, 201);
  const confirmed = await api.post(`/api/v1/appointments/${booked.body.data.id}/confirm`);
  expectStatus(confirmed, 200);
  const link = confirmed.body.data.access_link;

  const page = await scene.customerPage({ context: { timezoneId: 'America/Sao_Paulo' } });
  const guest = await CustomerPage.open(page, link);
  const facts = await (await guest.waitForId('appointment')).innerText();
  const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(
    soon,
  );
  expect(facts).toContain(time);
  expect(facts).toContain(`With ${agent?.name}`);
  expect(facts).toContain('Contract renewal');
  expect(await page.locator('main').textContent()).toContain('Welcome, Carla Lima.');
  expect(await page.locator('form input, form textarea').count()).toBe(0);
  await check.look(page, 'form of an appointment');
  expect(check.found).toEqual([]);
  await guest.click('join-submit');
  await guest.waitFor('waiting');
  const { body } = await api.get('/api/v1/calls?status=queued');
  expect(body.data).toMatchObject([{ customer_name: 'Carla Lima', customer_email: null }]);
});
