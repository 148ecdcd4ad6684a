import { expectStatus } from '../support/builders';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const check = new BarrierCheck();

/** @returns the link of an appointment that begins then */
async function bookAppointment({ tenant, agents, department }: Company, customerId: string, starts: Date) {
  const { api } = tenant.owner;
  const booked = await api.post('/api/v1/appointments', {
    user_id: agents[0]?.id,
    customer_id: customerId,
    department_id: department.id,
    title: 'Contract renewal',
    starts_at: starts.toISOString(),
    ends_at: new Date(starts.getTime() + 30 * 60_000).toISOString(),
    confirm: true,
  });
  expectStatus(booked, 201);
  return booked.body.data.access_link;
}

const clockOf = (time: Date) =>
  new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(time);

it('a link that is opened long before the appointment says when it is, with whom and what about', async () => {
  const company = await createCompany();
  const customer = await company.tenant.owner.api.post('/api/v1/customers', { name: 'Carla Lima' });
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  const link = await bookAppointment(company, customer.body.data.id, tomorrow);
  const page = await scene.customerPage({ context: { timezoneId: 'America/Sao_Paulo' } });
  const guest = await CustomerPage.open(page, link);
  const facts = await (await guest.waitForId('appointment')).innerText();
  expect(facts).toContain(clockOf(tomorrow));
  expect(facts).toContain(`With ${company.agents[0]?.name}`);
  expect(facts).toContain('Contract renewal');
  await check.look(page, 'link before its appointment');
  expect(check.found).toEqual([]);
});

it('behind the link of an appointment, the page shows time, agent and topic, and does not ask for the name', async () => {
  const company = await createCompany();
  const { api } = company.tenant.owner;
  const [agent] = company.agents;
  const customer = await api.post('/api/v1/customers', { name: 'Carla Lima', email: 'carla@example.com' });
  expectStatus(customer, 201);
  const soon = new Date(Date.now() + 4 * 60_000);
  const link = await bookAppointment(company, customer.body.data.id, soon);

  const page = await scene.customerPage({ context: { timezoneId: 'America/Sao_Paulo' } });
  const guest = await CustomerPage.open(page, link);
  const facts = await (await guest.waitForId('appointment')).innerText();
  expect(facts).toContain(clockOf(soon));
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
