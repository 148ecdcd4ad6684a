import { readFileSync } from 'node:fs';
import type { Json } from '../support/http/api';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import type { AgentPage } from './support/pages/agent-page';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();
const HOUR_MS = 3_600_000;

const owner = (company: Company): Promise<AgentPage> =>
  scene.agent(company, { member: company.tenant.owner });

/** Fails with what is wrong with the page. */
async function expectNoBarriers({ page }: AgentPage, screen: string): Promise<void> {
  const check = new BarrierCheck();
  await check.look(page, screen);
  expect(check.found).toEqual([]);
}

describe('customers in the console', () => {
  it('are created, edited, exported and erased', async () => {
    const company = await createCompany();
    const console = await owner(company);
    const { page } = console;
    await console.click('nav-customers');
    const search = await console.waitForId('customer-search');
    await search.fill('nobody');
    await page.waitForURL('**search=nobody');
    expect(await search.inputValue()).toBe('nobody');
    await console.click('nav-customers');
    await until(async () => (await search.inputValue()) === '');
    await console.click('customer-create');
    await console.find('customer-name').fill('Dora Double');
    await console.find('customer-email').fill('no address');
    await console.click('save');
    const email = console.find('customer-email');
    await until(async () => (await email.getAttribute('aria-invalid')) === 'true');
    expect(await console.find('customer-name').inputValue()).toBe('Dora Double');

    await email.fill('dora@example.com');
    await console.click('save');
    const facts = await console.waitForId('customer-facts');
    expect(await facts.textContent()).toContain('dora@example.com');
    await expectNoBarriers(console, 'customer');

    await console.click('customer-edit');
    await console.find('customer-name').fill('Dora Edited');
    await console.click('save');
    await console.waitUntilGone('save');
    await page.getByRole('heading', { name: 'Dora Edited', exact: true }).waitFor();

    const downloading = page.waitForEvent('download', { timeout: PATIENCE_MS });
    await console.click('customer-export');
    const file = await downloading;
    const exported = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(exported.customer).toMatchObject({ name: 'Dora Edited', email: 'dora@example.com' });
    expect(file.suggestedFilename()).toBe(`customer-${exported.customer.id}.json`);

    await console.click('customer-erase');
    await console.find('erase-name').fill('Dora');
    await console.click('save');
    await page.getByText('This is not the name. Type: Dora Edited').waitFor();
    await console.find('erase-name').fill('Dora Edited');
    await console.click('save');
    await console.waitForId('erasure-receipt');
    const { body } = await company.tenant.owner.api.get('/api/v1/customers');
    expect(body.data).toEqual([]);
  });

  it('are found by what they are looked for with, and merged if they are the same person', async () => {
    const company = await createCompany();
    const { api } = company.tenant.owner;
    await api.post('/api/v1/customers', { name: 'Paul', email: 'paul@example.com' });
    await api.post('/api/v1/customers', { name: 'Paul P.', email: 'paul@example.com', phone: '123' });
    const console = await owner(company);
    await console.click('nav-customers');
    const names = console.find('customers').getByRole('link');
    await names.nth(1).waitFor();
    await expectNoBarriers(console, 'customers');
    await console.find('customer-search').fill('123');
    await names.nth(1).waitFor({ state: 'detached' });
    expect(await names.allTextContents()).toEqual(['Paul P.']);
    await console.click('customer-duplicates');
    await console.waitForId('duplicate-group');
    await console.click('merge');
    await console.click('confirm');
    await console.waitUntilGone('duplicate-group');
    const { body } = await api.get('/api/v1/customers');
    expect(body.data).toMatchObject([{ name: 'Paul', phone: '123' }]);
  });

  it('are merged by choice, also if they share nothing', async () => {
    const company = await createCompany();
    const { api } = company.tenant.owner;
    await api.post('/api/v1/customers', { name: 'Rita', email: 'rita@example.com' });
    await api.post('/api/v1/customers', { name: 'R. Lima', phone: '555-123' });
    const console = await owner(company);
    const { page } = console;
    await console.click('nav-customers');
    await console.find('customers').getByRole('link', { name: 'Rita' }).click({ timeout: PATIENCE_MS });
    await console.click('customer-merge');
    await console.click('save');
    await page.getByText('Choose a customer.').waitFor();
    await console.find('merge-other').fill('555');
    const isSeen = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/customers\/[^/?]+$/, async (route) => {
      await isSeen.promise;
      await route.continue();
    });
    await page.getByRole('option', { name: /R. Lima/ }).click({ timeout: PATIENCE_MS });
    await page.locator('[data-testid=save]:disabled').waitFor();
    isSeen.resolve();
    await page.getByText('Phone, which is empty so far: 555-123').waitFor();
    await expectNoBarriers(console, 'merge with another customer');
    await console.click('save');
    await console.waitUntilGone('merge-other');
    const facts = await console.waitForId('customer-facts');
    await facts.getByText('555-123').waitFor();
    const { body } = await api.get('/api/v1/customers');
    expect(body.data).toMatchObject([{ name: 'Rita', email: 'rita@example.com', phone: '555-123' }]);
  });
});

it('an appointment is created, dragged to a later time, confirmed, and noted as missed; another one as completed', async () => {
  const company = await createCompany();
  const { api } = company.tenant.owner;
  const appointments = async () => (await api.get('/api/v1/appointments')).body.data;
  const console = await owner(company);
  const { page } = console;
  await console.click('nav-appointments');
  await console.waitForId('calendar');
  await page.getByRole('button', { name: 'Day', exact: true }).click();
  await page.getByRole('button', { name: 'Later', exact: true }).click();
  const day = await page.locator('.ec-col-head time').first().getAttribute('datetime');
  await console.click('appointment-create');
  await console.find('appointment-title').fill('Contract');
  await console.find('appointment-start').fill(`${day}T10:00`);
  await console.find('appointment-end').fill(`${day}T09:00`);
  await console.click('save');
  const end = console.find('appointment-end');
  await until(async () => (await end.getAttribute('aria-invalid')) === 'true');
  await end.fill(`${day}T10:30`);
  await console.click('save');
  await console.waitUntilGone('save');
  const [created] = await appointments();

  const event = page.locator('.ec-event').filter({ hasText: 'Contract' }).first();
  await event.scrollIntoViewIfNeeded();
  const box = await event.boundingBox();
  if (!box) throw new Error('The appointment is not shown');
  const x = box.x + box.width / 2;
  await page.mouse.move(x, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(x, box.y + 4 + box.height, { steps: 4 });
  await page.mouse.move(x, box.y + 4 + 2 * box.height, { steps: 4 });
  await page.mouse.up();
  await until(async () => (await appointments())[0].starts_at !== created.starts_at);
  const [moved] = await appointments();
  expect(Date.parse(moved.starts_at) - Date.parse(created.starts_at)).toBe(HOUR_MS);
  await expectNoBarriers(console, 'appointments');

  await event.click();
  await console.click('appointment-confirm');
  await console.waitForId('appointment-link');
  expect(await appointments()).toMatchObject([{ status: 'confirmed' }]);
  await console.click('appointment-noShow');
  await console.click('confirm');
  await console.waitUntilGone('appointment-noShow');
  await page.keyboard.press('Escape');

  await console.click('appointment-create');
  await console.find('appointment-title').fill('Second talk');
  await console.find('appointment-start').fill(`${day}T14:00`);
  await console.find('appointment-end').fill(`${day}T15:00`);
  await console.click('save');
  await console.waitUntilGone('save');
  // By the keyboard alone, as everything that a drag does.
  await page.locator('.ec-event').filter({ hasText: 'Second talk' }).first().press('Enter');
  await console.click('appointment-edit');
  await console.find('appointment-end').fill(`${day}T14:45`);
  await console.click('save');
  await console.waitUntilGone('save');
  await page.locator('.ec-event').filter({ hasText: 'Second talk' }).first().press('Enter');
  await console.click('appointment-complete');
  await console.click('confirm');
  await console.waitUntilGone('appointment-complete');
  const statuses = (await appointments()).map(({ status }: { status: string }) => status);
  expect(statuses.toSorted()).toEqual(['completed', 'no_show']);
  await page.keyboard.press('Escape');

  await api.post('/api/v1/customers', { name: 'Iris Invited', email: 'iris@example.com' });
  await console.click('appointment-create');
  await console.find('appointment-start').fill(`${day}T16:00`);
  await console.find('appointment-end').fill(`${day}T16:30`);
  await console.find('appointment-customer').fill('Iris');
  await page.getByRole('option', { name: /Iris Invited/ }).click({ timeout: PATIENCE_MS });
  await console.find('appointment-invite').click();
  await expectNoBarriers(console, 'new appointment');
  await console.click('save');
  await console.waitUntilGone('save');
  const invitedEvent = page.locator('.ec-event').filter({ hasText: /Iris Invited.*Confirmed/ });
  // Half an hour has room for one line.
  const [slot, title] = await Promise.all([
    invitedEvent.first().boundingBox(),
    invitedEvent.first().locator('.ec-event-title').boundingBox(),
  ]);
  expect(title && slot && title.y - slot.y).toBeLessThan(8);
  await invitedEvent.first().press('Enter');
  const details = await console.waitForId('appointment-details');
  await details.getByRole('link', { name: 'Customer: Iris Invited' }).waitFor();
  await console.waitForId('appointment-link');
  const invited = (await appointments()).find(({ customer_name }: Json) => customer_name === 'Iris Invited');
  expect(invited).toMatchObject({ status: 'confirmed' });
});
