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

  await owner.find('users').getByRole('button', { name: company.tenant.owner.name }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('New name');
  await dialog.getByRole('tab').nth(1).click();
  await page.keyboard.press('Escape');
  await answer('leave');
  await dialog.first().waitFor({ state: 'detached' });
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
  await until(async () => (await api.get('/api/v1/skills')).body.meta.total_count === 1);

  await owner.click('nav-users');
  await owner.find('users').getByRole('button', { name: company.tenant.owner.name }).click();
  await dialogs.getByRole('textbox', { name: 'Name' }).fill('New name');
  await page.keyboard.press('Escape');
  await answer('leave');
  await dialogs.first().waitFor({ state: 'detached' });
  await owner.click('nav-skills');
  await owner.waitForId('skills');
});
