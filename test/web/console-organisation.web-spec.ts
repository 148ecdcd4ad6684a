import sharp from 'sharp';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { hashToken, newOpaqueToken } from '../../src/identity/sessions/opaque-token';
import { expectStatus, login, type Member, PASSWORD } from '../support/builders';
import { BarrierCheck } from './support/browser/barrier-check';
import { sharedBrowser } from './support/browser/chromium';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import { until } from '../support/until';
import { CustomerPage } from './support/pages/customer-page';
import { byTestId, waitForTestId, waitUntilGone } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';
import { loadPage } from './support/pages/load-page';

const scene = callScene();
const check = new BarrierCheck();
const { url } = sharedServers();

let company: Company;

beforeAll(async () => {
  company = await createCompany();
});
beforeEach(() => check.reset());

/** Opens a page of the console as the owner. */
async function openAsOwner(path: string) {
  const owner = await scene.agent(company, { member: company.tenant.owner });
  const { page, find, waitForId } = owner;
  await loadPage(page, () => page.goto(`${url}/console${path}`));
  return { page, find, waitForId, click: (id: string) => owner.click(id) };
}

/** Waits until something is wrong with a field. @returns what is said there */
async function fieldError(page: Page, testId: string): Promise<string> {
  const field = page.locator('.mantine-InputWrapper-root', { has: byTestId(page, testId) });
  return (await field.locator('.mantine-InputWrapper-error').textContent()) ?? '';
}

async function countInvitations({ tenant }: Company): Promise<number> {
  const { body } = await tenant.owner.api.get('/api/v1/audit-log?action=user.invited');
  return body.meta.total_count;
}

it('sets up a department, whose hours are previewed', async () => {
  const { page, click, find, waitForId } = await openAsOwner('/departments');
  await waitForId('departments');
  await check.look(page, 'departments');
  await click('new-department');
  await click('save');
  await fieldError(page, 'department-name').then((text) => expect(text).toContain('This is required'));
  await find('department-name').fill('Repairs');
  expect(await find('wrap_up_time-seconds').inputValue()).toBe('30 s');
  await click('save');
  await page.getByRole('heading', { name: 'Repairs' }).waitFor();
  await (await waitForId('max_queue_size')).fill('0');
  const enter = async (name: string, minutes: string, seconds: string) => {
    await find(`${name}-minutes`).fill(minutes);
    await find(`${name}-seconds`).fill(seconds);
  };
  await enter('offer_timeout', '', '');
  await click('save');
  expect(await fieldError(page, 'offer_timeout-minutes')).toContain('Enter a number');
  await enter('offer_timeout', '0', '2');
  await click('save');
  expect(await fieldError(page, 'offer_timeout-seconds')).toContain('Enter 0:05 or more');
  await enter('offer_timeout', '', '90');
  await find('max_queue_size').focus();
  expect(await find('offer_timeout-minutes').inputValue()).toBe('1 min');
  expect(await find('offer_timeout-seconds').inputValue()).toBe('30 s');
  await click('save');
  expect(await fieldError(page, 'max_queue_size')).toContain('Enter 1 or more');
  await check.look(page, 'department');
  await find('max_queue_size').fill('7');
  // A field that is hidden again does not hinder saving.
  await page.getByLabel('Customers can ask to be called back').click();
  await enter('callback_window', '', '');
  await page.getByLabel('Customers can ask to be called back').click();
  await page.getByLabel('Routing').selectOption('automatic');
  await page.getByLabel('Selection').selectOption('most_skilled');
  await page.getByLabel('Overflow department').selectOption(company.department.id);
  await enter('overflow_after', '2', '5');
  await click('save');
  await page.getByText('Saved.').waitFor();
  const { api } = company.tenant.owner;
  const saved = (await api.get('/api/v1/departments?search=Repairs')).body.data[0];
  expect(saved).toMatchObject({
    max_queue_size: 7,
    wrap_up_time: 30,
    routing: 'automatic',
    agent_selection: 'most_skilled',
    overflow_department_id: company.department.id,
    offer_timeout: 90,
    overflow_after: 125,
  });

  await click('tab-hours');
  await page.getByLabel('Always open').click();
  await (await waitForId('weekly.mon.0.to')).fill('08:00');
  await click('save');
  await waitForId('error-weekly.mon');
  await find('weekly.mon.0.to').fill('1230');
  await find('weekly.mon.0.to').blur();
  expect(await find('weekly.mon.0.to').inputValue()).toBe('12:30');
  await click('save');
  await (await waitForId('hours-preview')).getByText('12:30').waitFor();
  await check.look(page, 'hours');

  const holiday = '2031-12-25';
  await click('add-exception');
  await click('save');
  expect(await fieldError(page, 'exceptions.0.date')).not.toBe('');
  await find('exceptions.0.date').fill(holiday);
  const closedMessage = 'We are back tomorrow.\nIn an emergency: +55 11 4000-1234';
  await find('closed-message').fill(closedMessage);
  await click('save');
  const department = await until(async () => {
    const { body } = await company.tenant.owner.api.get('/api/v1/departments?search=Repairs');
    const { exceptions = [] } = body.data[0].opening_hours ?? {};
    return exceptions.some(({ date }: { date: string }) => date === holiday) && body.data[0];
  });
  expect(department.closed_message).toBe(closedMessage);

  await click('tab-members');
  await (await waitForId('add-member')).fill(company.tenant.owner.email);
  await page.getByRole('option', { name: company.tenant.owner.email }).click();
  await click('add-member-submit');
  await waitForId('member');
  await check.look(page, 'members');
  const membersOf = async () => (await api.get(`/api/v1/departments/${saved.id}/users`)).body.data;
  expect(await membersOf()).toHaveLength(1);
  await find('member').getByRole('button').click();
  await click('confirm');
  await waitUntilGone(page, 'member');
  expect(await membersOf()).toEqual([]);

  await click('delete-department');
  await click('confirm');
  await page.getByText('Repairs was deleted.').waitFor();
  expect(check.found).toEqual([]);
});

it('sets up tags and skills, and invites a user with a skill', async () => {
  const { api } = company.tenant.owner;
  const latin = await api.post('/api/v1/skills', { name: 'Latin' });
  const { page, click, find, waitForId } = await openAsOwner('/tags');
  const createTag = async (name: string, parent?: string) => {
    await page.getByRole('button', { name: 'New tag' }).click();
    await find('tag-name').fill(name);
    if (parent) await page.getByLabel('Below').selectOption({ label: parent });
    await click('save');
  };
  await createTag('');
  expect(await fieldError(page, 'tag-name')).toContain('This is required');
  await find('tag-name').fill('Invoices');
  await click('save');
  await waitUntilGone(page, 'tag-name');
  await createTag('Reminders', 'Invoices');
  await find('tag-row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Reminders' }).click();
  await find('tag-name').fill('Late reminders');
  await page.getByLabel('Description').fill('Sent twice');
  await click('save');
  await find('tag-row').filter({ hasText: 'Late remindersSent twice' }).waitFor();
  const indents = await find('tag-row').evaluateAll((rows) =>
    rows.map((row) => Math.round(row.querySelector('button')?.getBoundingClientRect().left ?? 0)),
  );
  expect(indents[1]).toBeGreaterThan(indents[0] ?? 0);
  const { body } = await company.tenant.owner.api.get('/api/v1/tags/tree');
  expect(body.data).toMatchObject([{ name: 'Invoices', children: [{ name: 'Late reminders' }] }]);

  await click('nav-skills');
  await waitForId('new-skill');
  await click('new-skill');
  await click('save');
  expect(await fieldError(page, 'skill-name')).toContain('This is required');
  await find('skill-name').fill('French');
  await click('save');
  await page.getByRole('button', { name: 'French' }).waitFor();
  await check.look(page, 'skills');

  await click('nav-users');
  await waitForId('users');
  await check.look(page, 'users');
  await click('invite');
  await find('user-name').fill('Nadia New');
  await find('user-email').fill('nobody');
  await click('save');
  expect(await fieldError(page, 'user-email')).toContain('Enter a complete e-mail address');
  await find('user-email').fill('nadia@example.com');
  await check.look(page, 'invitation');
  await click('save');
  await page.getByText('on its way to nadia@example.com').waitFor();
  const row = find('users').getByRole('row', { name: /Nadia New/ });
  await row.getByText('Invited', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Nadia New' }).click();
  await click('skills-tab');
  await (await waitForId('add-skill')).selectOption({ label: 'French' });
  await page.getByLabel('French', { exact: true }).selectOption('5');
  await find('add-skill').selectOption({ label: 'Latin' });
  expectStatus(await api.delete(`/api/v1/skills/${latin.body.data.id}`), 204);
  await click('save');
  await page.getByRole('alert').filter({ hasText: 'This does not exist any more.' }).waitFor();
  await page.getByRole('button', { name: 'Remove Latin' }).click();
  await click('save');
  await page.getByText('French (5)').waitFor();
  await page.getByRole('button', { name: 'Nadia New' }).click();
  await click('access-tab');
  const before = await countInvitations(company);
  await click('resend');
  await until(async () => (await countInvitations(company)) === before + 1);
  await check.look(page, 'access of a user');
  expect(check.found).toEqual([]);
});

it('invites several users at once, and says what is wrong with which address', async () => {
  const { api } = company.tenant.owner;
  const { page, click, find, waitForId } = await openAsOwner('/users');
  await waitForId('users');
  await click('invite-several');
  await click('save');
  expect(await fieldError(page, 'invite-addresses')).toContain('Enter at least one address');
  const lines = ['Rui Braga <rui@example.com>', 'nobody', company.tenant.owner.email, 'lia.paz@example.com'];
  await find('invite-addresses').fill(lines.join('\n'));
  await page.getByLabel('Role', { exact: true }).last().selectOption('supervisor');
  await click('user-departments');
  await page.getByRole('option', { name: company.department.name, exact: true }).click();
  await page.keyboard.press('Escape');
  await click('save');
  const results = await waitForId('invitation-results');
  expect(await results.getByRole('row').allTextContents()).toEqual([
    'rui@example.comNot invited yet',
    'nobodyEnter a complete e-mail address, for example ana@example.com.',
    `${company.tenant.owner.email}Not invited yet`,
    'lia.paz@example.comNot invited yet',
  ]);
  await find('invite-addresses').fill(lines.toSpliced(1, 1).join('\n'));
  await click('save');
  await results.getByText('This is already in use.').waitFor();
  await check.look(page, 'invitations');
  await find('invite-addresses').fill([lines[0], lines[3]].join('\n'));
  await click('save');
  await waitForId('invited-close');
  expect(await results.getByRole('row').allTextContents()).toEqual([
    'rui@example.comInvited',
    'lia.paz@example.comInvited',
  ]);
  await check.look(page, 'invitations sent');
  await click('invited-close');
  const { body } = await api.get('/api/v1/users?sort_by=name');
  const role = { role: 'supervisor', invited: true, department_ids: [company.department.id] };
  expect(body.data).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Lia Paz', email: 'lia.paz@example.com', ...role }),
      expect.objectContaining({ name: 'Rui Braga', email: 'rui@example.com', ...role }),
    ]),
  );
  expect(check.found).toEqual([]);
});

it('resets the second factor of a user who has lost it, and deactivates the user', async () => {
  const member = await company.tenant.member('attendant', []);
  const { body } = await member.api.post('/api/v1/users/me/mfa', {});
  await member.api.post('/api/v1/users/me/mfa/confirm', { code: generateSync({ secret: body.data.secret }) });
  const { page, click, waitForId } = await openAsOwner(`/users?search=${encodeURIComponent(member.email)}`);
  const user = (await waitForId('users')).getByRole('button', { name: /^attendant/ });
  await user.click();
  await click('access-tab');
  await click('reset-mfa');
  await click('confirm');
  await page.getByText('Two-step login of').waitFor();
  await login(webTest(), company.tenant.slug, member.email);
  await user.click();
  await page.getByRole('dialog').getByLabel('Active').click();
  await click('save');
  await page.getByText('Saved.').waitFor();
  const { body: users } = await company.tenant.owner.api.get(`/api/v1/users/${member.id}`);
  expect(users.data).toMatchObject({ active: false });
});

/** Files as a picture that the company chooses as its logo. */
const LOGO = {
  text: { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  picture: {
    name: 'logo.gif',
    mimeType: 'image/gif',
    buffer: Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64'),
  },
};

it('changes the settings of the company and its logo, and shows its plan', async () => {
  const { page, click, find, waitForId } = await openAsOwner('/settings');
  const sites = await waitForId('allowed-sites');
  await sites.fill('ftp://x');
  await sites.press('Enter');
  await find('company-name').fill('');
  await click('save');
  expect(await fieldError(page, 'company-name')).toContain('This is required');
  await find('company-name').fill('New name');
  await click('save');
  expect(await fieldError(page, 'allowed-sites')).toContain('ftp://x');
  await sites.press('Backspace');
  await sites.fill('https://shop.example.com/');
  await sites.press('Enter');
  await find('color').fill('#ffeb3b');
  await page.getByText('The colour is changed a little').waitFor();
  await page.getByRole('combobox', { name: 'Country' }).fill('Portug');
  await page.getByRole('option', { name: 'Portugal' }).click();
  await click('save');
  await page.getByText('Saved.').waitFor();
  await check.look(page, 'settings');
  expect(await find('snippet').textContent()).toContain(`data-link="${company.link.token}"`);
  const { body } = await company.tenant.owner.api.get('/api/v1/tenant');
  expect(body.data).toMatchObject({
    name: 'New name',
    primary_color: '#ffeb3b',
    country: 'PT',
    allowed_sites: ['https://shop.example.com'],
  });

  const logo = page.locator('input[type="file"]');
  await logo.setInputFiles(LOGO.text);
  await page.getByRole('alert').filter({ hasText: 'This file cannot be used' }).waitFor();
  await logo.setInputFiles(LOGO.picture);
  await page.getByText('The logo was saved.').waitFor();
  const shown = await waitForId('logo');
  const shownWidth = () =>
    shown.evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));
  await until(async () => (await shownWidth()) === 1);
  // More than the service decodes: the page makes it smaller.
  const photo = sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#2563eb' } });
  await logo.setInputFiles({
    name: 'photo.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo.jpeg().toBuffer(),
  });
  await until(async () => (await shownWidth()) === 512);
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await click('confirm');
  await page.getByText('No logo', { exact: true }).waitFor();
  expect((await company.tenant.owner.api.get('/api/v1/tenant')).body.data.logo_url).toBeNull();
  await click('nav-plan');
  await waitForId('plan-status');
  await check.look(page, 'plan');
  expect(check.found).toEqual([]);
});

it('sets the privacy notice, which customers find under the form', async () => {
  const { page, click, find, waitForId } = await openAsOwner('/settings');
  await (await waitForId('privacy-url')).fill('javascript:alert(1)');
  await find('privacy-text').fill('We keep your data\nfor 30 days.');
  await click('save');
  expect(await fieldError(page, 'privacy-url')).toContain('begins with https://');
  await find('privacy-url').fill('https://www.example.com/privacy');
  await click('save');
  await page.getByText('Saved.').waitFor();

  const customer = await CustomerPage.open(await scene.customerPage(), company.link);
  const notice = await customer.waitForId('privacy');
  expect(await notice.locator('p').innerText()).toBe('We keep your data\nfor 30 days.');
  const address = notice.getByRole('link', { name: 'Privacy notice' });
  expect(await address.getAttribute('href')).toBe('https://www.example.com/privacy');
  expect(await address.getAttribute('target')).toBe('_blank');
  await check.look(customer.page, 'form with privacy notice');
  expect(check.found).toEqual([]);
});

it('changes the own name, phone and password, and stays logged in', async () => {
  const member = await company.tenant.member('attendant', []);
  const elsewhere = await login(webTest(), company.tenant.slug, member.email);
  const agent = await scene.agent(company, { member });
  const { page } = agent;
  await agent.click('account-menu');
  await agent.click('nav-account');
  await (await agent.waitForId('own-name')).fill('Marina Alves');
  await agent.find('own-phone').fill('+55 11 98765-4321');
  await agent.click('save-own-data');
  await page.getByText('Saved.').waitFor();
  await byTestId(page, 'account-menu').filter({ hasText: 'Marina Alves' }).waitFor();
  await agent.find('new-password').fill('a wholly different one');
  await agent.click('save-password');
  expect(await fieldError(page, 'current-password')).toContain('This is required');
  await agent.find('current-password').fill('not the password');
  await agent.click('save-password');
  expect(await fieldError(page, 'current-password')).toContain('This is wrong');
  await agent.find('current-password').fill(PASSWORD);
  await agent.click('save-password');
  await page.getByText('Your password is changed.').waitFor();
  expect(await agent.find('current-password').inputValue()).toBe('');
  await check.look(page, 'own data and password');
  expect((await elsewhere.api.get('/api/v1/users/me')).status).toBe(401);
  const { body } = await company.tenant.owner.api.get(`/api/v1/users/${member.id}`);
  expect(body.data).toMatchObject({ name: 'Marina Alves', phone: '+55 11 98765-4321' });
  await loadPage(page, () => page.reload());
  await agent.waitForId('own-name');
  expect(check.found).toEqual([]);
});

it('sets the password of a user of a lower role', async () => {
  const member = await company.tenant.member('attendant', []);
  const { page, click, find, waitForId } = await openAsOwner(
    `/users?search=${encodeURIComponent(member.email)}`,
  );
  await (await waitForId('users')).getByRole('button', { name: member.name }).click();
  await click('access-tab');
  await (await waitForId('user-password')).fill('12345678');
  await click('save-user-password');
  expect(await fieldError(page, 'user-password')).toContain('most common passwords');
  await find('user-password').fill('a wholly different one');
  await check.look(page, 'password of a user');
  await click('save-user-password');
  await page.getByText(`${member.name} has a new password.`).waitFor();
  const { slug } = company.tenant;
  const credentials = { tenant: slug, email: member.email, password: 'a wholly different one' };
  expectStatus(await webTest().api.post('/api/auth/login', credentials), 200);
  expect(check.found).toEqual([]);
});

it('ends another login of the user', async () => {
  const [member] = company.agents as [Member];
  const { refresh_token } = await login(webTest(), company.tenant.slug, member.email);
  const agent = await scene.agent(company);
  await agent.click('account-menu');
  await agent.click('nav-account');
  await agent.waitForId('session');
  await check.look(agent.page, 'account');
  const before = await agent.find('end-session').count();
  await agent.click('end-session');
  await agent.click('confirm');
  await agent.page.getByText('was logged out.').waitFor();
  expect(await agent.find('end-session').count()).toBe(before - 1);
  const answers = await Promise.all(
    [refresh_token, member.refresh_token].map((token) =>
      webTest().api.post('/api/auth/refresh', { refresh_token: token }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  await agent.click('mfa-enrol');
  await (await agent.waitForId('mfa-code')).fill('000000');
  await agent.click('save');
  expect(await fieldError(agent.page, 'mfa-code')).toContain('is wrong');
  await check.look(agent.page, 'two-step login');
  expect(check.found).toEqual([]);
});

it('leads to the second factor that the company requires, and then to everything else', async () => {
  const strict = await createCompany();
  const { owner } = strict.tenant;
  await owner.api.put('/api/v1/tenant', { mfa_required: true });
  const page = await scene.pages.open(await sharedBrowser(), 'agent without a second factor');
  const agent = await AgentPage.signIn(page, strict);
  await agent.waitForId('must-enrol');
  await check.look(page, 'second factor required');
  await agent.click('mfa-enrol');
  const secret = (await (await agent.waitForId('mfa-secret')).textContent()) ?? '';
  await agent.find('mfa-code').fill(generateSync({ secret }));
  await agent.click('save');
  await agent.waitForId('recovery-codes');
  await agent.waitUntilGone('must-enrol');
  await check.look(page, 'recovery codes');
  await agent.click('codes-kept');
  await agent.waitForId('session');
  await agent.waitUntilGone('connection');
  await agent.click('nav-queue');
  await page.waitForURL(/\/console\/?$/);
  await agent.click('account-menu');
  await agent.click('log-out');
  await agent.waitForId('login-tenant');
  await agent.find('login-tenant').fill(strict.tenant.slug);
  await agent.find('login-email').fill(agent.member.email);
  await agent.find('login-password').fill(PASSWORD);
  await agent.click('login-submit');
  await agent.waitForId('mfa-code');
  expect(await agent.find('mfa-code').evaluate((field) => field === document.activeElement)).toBe(true);
  expect(check.found).toEqual([]);
});

it('gives somebody who has forgotten the password a new one', async () => {
  const { tenant, agents } = company;
  const [{ id, email }] = agents as [Member];
  const page = await scene.pages.open(await sharedBrowser(), 'somebody who has forgotten the password');
  await page.goto(`${url}/reset-password?token=${newOpaqueToken()}&lang=en`);
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await (await waitForTestId(page, 'forgotten-tenant')).fill(tenant.slug);
  await byTestId(page, 'forgotten-email').fill('nobody');
  await byTestId(page, 'forgotten-submit').click();
  expect(await fieldError(page, 'forgotten-email')).toContain('Enter a complete e-mail address');
  await byTestId(page, 'language').selectOption('pt');
  await byTestId(page, 'forgotten-submit').click();
  await page.getByText('Informe um e-mail completo').waitFor();
  await byTestId(page, 'language').selectOption('en');
  await check.look(page, 'forgotten password');
  await byTestId(page, 'forgotten-email').fill(email);
  await byTestId(page, 'forgotten-submit').click();
  await waitForTestId(page, 'mail-sent');

  const token = newOpaqueToken();
  await webTest().db.query(
    `INSERT INTO password_resets (token_hash, tenant_id, user_id, expires_at)
     VALUES ($1, $2, $3, now() + interval '1 hour')`,
    [hashToken(token), tenant.id, id],
  );
  await page.goto(`${url}/reset-password?token=${token}&lang=en`);
  await page.getByLabel('New password').fill(`new ${PASSWORD}`);
  await page.getByRole('button').click();
  const toLogin = page.getByRole('link', { name: 'Log in' });
  await toLogin.waitFor();
  await check.look(page, 'password chosen');
  // As on the first computer of somebody who was invited.
  await page.evaluate(() => localStorage.clear());
  await toLogin.click();
  await (await waitForTestId(page, 'login-password')).fill(`new ${PASSWORD}`);
  expect(await byTestId(page, 'login-tenant').inputValue()).toBe(tenant.slug);
  await byTestId(page, 'login-email').fill(email);
  await check.look(page, 'login after a new password');
  await byTestId(page, 'login-submit').click();
  await waitForTestId(page, 'presence');
  expect(check.found).toEqual([]);
});
