import type { Locator } from 'playwright-core';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();
const check = new BarrierCheck();

let company: Company;
let owner: AgentPage;

beforeAll(async () => {
  company = await createCompany();
});
beforeEach(async () => {
  check.reset();
  owner = await scene.agent(company, { member: company.tenant.owner });
});

/** @returns the field of the name in the dialog of the user */
async function openUser(name: string): Promise<Locator> {
  await owner.click('nav-users');
  await owner.find('users').getByRole('button', { name }).click();
  return owner.page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
}

const answer = async (choice: 'stay' | 'leave') => {
  await owner.click(choice);
  await owner.waitUntilGone(choice);
};

it('of a page are not lost by another page, the way back or the close of the tab without a question', async () => {
  const { page } = owner;
  await owner.click('nav-settings');
  const name = await owner.waitForId('company-name');
  await name.fill('Changed name');
  await owner.click('nav-users');
  await owner.waitForId('stay');
  await check.look(page, 'unsaved changes');
  await answer('stay');
  expect(await name.inputValue()).toBe('Changed name');
  await page.goBack();
  await answer('stay');
  expect(new URL(page.url()).pathname).toBe('/console/settings');

  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await owner.click('account-menu');
  await owner.click('log-out');
  await answer('stay');

  await owner.click('save');
  await page.getByText('Saved.').waitFor();
  await owner.click('nav-users');
  await owner.waitForId('users');
  await owner.click('nav-settings');
  await (await owner.waitForId('company-name')).fill('Another name');
  await owner.click('nav-users');
  await answer('leave');
  await owner.waitForId('users');
  const { body } = await company.tenant.owner.api.get('/api/v1/tenant');
  expect(body.data.name).toBe('Changed name');
  expect(check.found).toEqual([]);
});

it('of a hidden tab are not lost by another page or Escape without a question', async () => {
  const { page } = owner;
  await owner.click('nav-departments');
  await owner.find('departments').getByRole('link').first().click();
  const name = await owner.waitForId('department-name');
  await name.fill('Changed line');
  await owner.click('tab-hours');
  await owner.waitForId('always-open');
  await owner.click('nav-users');
  await answer('stay');
  await owner.click('tab-general');
  expect(await name.inputValue()).toBe('Changed line');
  await owner.click('nav-users');
  await answer('leave');

  const dialog = page.getByRole('dialog');
  await (await openUser(company.tenant.owner.name)).fill('New name');
  await dialog.getByRole('tab').nth(1).click();
  await page.keyboard.press('Escape');
  await answer('leave');
  await dialog.first().waitFor({ state: 'detached' });
});

it('of one tab of a dialog stay while another one is saved', async () => {
  const { page } = owner;
  const { tenant } = company;
  const { api } = tenant.owner;
  const { body } = await api.post('/api/v1/skills', { name: 'Greek' });
  const user = await tenant.member('attendant', []);
  const name = await openUser(user.name);
  await name.fill('New name');
  await owner.click('skills-tab');
  await owner.find('add-skill').selectOption({ label: 'Greek' });
  await owner.click('save');
  await page.getByText('Saved.').waitFor();
  const stored = async () => (await api.get(`/api/v1/users/${user.id}`)).body.data;
  expect(await stored()).toMatchObject({ name: user.name, skills: [{ skill_id: body.data.id }] });
  await owner.click('access-tab');
  await owner.find('user-password').fill('another long password');
  await owner.click('save-user-password');
  await page.getByText(`${user.name} has a new password.`).waitFor();
  expect(await owner.find('user-password').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await answer('stay');
  await page.getByRole('dialog').getByRole('tab').first().click();
  expect(await name.inputValue()).toBe('New name');
  await owner.click('save');
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  expect(await stored()).toMatchObject({ name: 'New name', skills: [{ skill_id: body.data.id }] });
});

it('that are typed while others are saved are not saved', async () => {
  const { page } = owner;
  await owner.click('nav-settings');
  const name = await owner.waitForId('company-name');
  const sent = Promise.withResolvers<() => Promise<void>>();
  await page.route('**/api/v1/tenant', (route) =>
    route.request().method() === 'PUT' ? sent.resolve(() => route.continue()) : route.fallback(),
  );
  await name.fill('Sent name');
  await owner.click('save');
  const pass = await sent.promise;
  await name.fill('Sent name and more');
  await pass();
  await page.getByText('Saved.').waitFor();
  expect(await name.inputValue()).toBe('Sent name and more');
  await owner.click('nav-users');
  await answer('leave');
  await owner.waitForId('users');
  expect(check.found).toEqual([]);
});

it('of a dialog are not lost by Escape, its buttons or another page without a question', async () => {
  const { page } = owner;
  const dialogs = page.getByRole('dialog');
  await owner.click('nav-skills');
  await owner.click('new-skill');
  await page.keyboard.press('Escape');
  await owner.waitUntilGone('skill-name');
  await owner.click('new-skill');
  const name = await owner.waitForId('skill-name');
  await name.fill('Latin');
  await page.keyboard.press('Escape');
  await owner.waitForId('stay');
  await page.locator('[data-testid=stay]:focus').waitFor();
  await page.keyboard.press('Escape');
  await owner.waitUntilGone('stay');
  expect(await name.inputValue()).toBe('Latin');
  await dialogs.getByRole('button', { name: 'Close' }).click();
  await answer('stay');
  await page.goBack();
  await answer('stay');
  await dialogs.getByRole('button', { name: 'Cancel' }).click();
  await answer('leave');
  await owner.waitUntilGone('skill-name');

  await owner.click('new-skill');
  await name.fill('Latin');
  await owner.click('save');
  await owner.waitUntilGone('skill-name');
  const { api } = company.tenant.owner;
  await until(async () => {
    const { body } = await api.get('/api/v1/skills');
    return body.data.some((skill: { name: string }) => skill.name === 'Latin');
  });

  await (await openUser(company.tenant.owner.name)).fill('New name');
  await page.keyboard.press('Escape');
  await answer('leave');
  await dialogs.first().waitFor({ state: 'detached' });
  await owner.click('nav-skills');
  await owner.waitForId('skills');
});

it('of the customer of a call that has ended are not lost by the next call without a question', async () => {
  const offering = await createCompany({ routing: 'automatic', offer_timeout: 120 });
  const agent = await scene.agent(offering);
  const { tenant, link } = offering;
  await tenant.join(link, { name: 'Clara Customer' });
  await agent.click('offer-accept');
  await agent.complete();
  await agent.click('customer-edit');
  const email = await agent.waitForId('customer-email');
  await email.fill('clara@example.com');
  const { call_id } = await tenant.join(link, { name: 'Next Customer' });
  const statusOfNext = async () => (await tenant.owner.api.get(`/api/v1/calls/${call_id}`)).body.data.status;
  await agent.click('offer-accept');
  await agent.waitForId('stay');
  await check.look(agent.page, 'unsaved changes, a call is offered');
  await agent.click('stay');
  await agent.waitUntilGone('stay');
  expect(await email.inputValue()).toBe('clara@example.com');
  expect(await statusOfNext()).toBe('queued');
  await agent.click('offer-accept');
  await agent.click('leave');
  await agent.waitUntilGone('customer-email');
  await agent.page.getByRole('heading', { name: 'Call with Next Customer' }).waitFor();
  expect(await statusOfNext()).toBe('active');
  expect(check.found).toEqual([]);
});
