import { expectStatus } from '../support/builders';
import type { Json } from '../support/http/api';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();
const check = new BarrierCheck();
beforeEach(() => check.reset());

const REPLIES = '/api/v1/canned-replies';

async function createReply({ tenant }: Company, reply: Json): Promise<void> {
  expectStatus(await tenant.owner.api.post(REPLIES, reply), 201);
}

/** Stores replies as former releases did, which kept them in the browser. */
async function keepInBrowser({ page, member }: AgentPage, replies: Json[]): Promise<void> {
  await page.evaluate(
    ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
    [`vcq-canned-notes ${member.id}`, JSON.stringify(replies)],
  );
}

const optionsOf = (agent: AgentPage) => agent.find('reply-option').locator('> span:first-child');

it('are written by supervisors, who are offered once to import those of their browser', async () => {
  const company = await createCompany();
  const { api } = company.tenant.owner;
  await createReply(company, { title: 'Greeting', text: 'Good morning.', shortcut: 'hi' });
  const supervisor = await company.tenant.member('supervisor');
  const agent = await scene.agent(company, { member: supervisor });
  const { page } = agent;
  await keepInBrowser(agent, [
    { title: 'Blank', text: ' ' },
    { title: 'Greeting', text: 'Good morning.' },
    { title: 'Card', text: 'A new card was sent.' },
    { title: 'Call back', text: 'Will call back tomorrow.' },
  ]);
  await agent.reload();
  await agent.click('nav-canned-replies');
  await agent.waitForId('import-replies');
  await check.look(page, 'import of canned replies');
  await agent.click('import-later');
  await agent.waitUntilGone('import-replies');
  await agent.reload();
  await agent.waitForId('browser-replies');
  await agent.find('replies').getByRole('button', { name: 'Greeting', exact: true }).waitFor();
  expect(await agent.find('import-replies').count()).toBe(0);
  await page.getByRole('button', { name: 'Remove Call back from this browser' }).click();
  await check.look(page, 'canned-replies');
  await agent.click('import-all');
  await page.getByText('These texts were not imported: Blank (').waitFor();
  await page.getByRole('button', { name: 'Remove Blank from this browser' }).click();
  await agent.waitUntilGone('browser-replies');
  await agent.find('replies').getByRole('button', { name: 'Card', exact: true }).waitFor();

  await agent.click('new-reply');
  await agent.find('reply-title').fill('Farewell');
  await agent.find('reply-text').fill('Good bye.');
  await agent.find('reply-shortcut').fill('/hi');
  await check.look(page, 'new canned reply');
  await agent.click('save');
  await agent.waitUntilRefused('reply-shortcut');
  await agent.find('reply-shortcut').fill('bye');
  await agent.click('save');
  await agent.waitUntilGone('save');
  await agent.find('search').fill('good');
  await page.getByText('/bye').waitFor();
  const { body } = await api.get(REPLIES);
  expect(body.data).toMatchObject([
    { title: 'Card', text: 'A new card was sent.', shortcut: null },
    { title: 'Farewell', shortcut: 'bye' },
    { title: 'Greeting', shortcut: 'hi' },
  ]);
  await agent.find('replies').getByRole('button', { name: 'Farewell', exact: true }).click();
  await agent.click('delete-reply');
  await agent.click('confirm');
  await until(async () => (await api.get(REPLIES)).body.meta.total_count === 2);
  expect(check.found).toEqual([]);
});

it('of the browser are compared with those of the company before they are imported', async () => {
  const company = await createCompany();
  const { api } = company.tenant.owner;
  await createReply(company, { title: 'Greeting', text: 'Good morning.' });
  const agent = await scene.agent(company, { member: company.tenant.owner });
  await keepInBrowser(agent, [{ title: 'Greeting', text: 'Good morning.' }]);
  const imported = Promise.withResolvers<void>();
  await agent.page.route('**/api/v1/canned-replies*', async (route) => {
    if (route.request().method() === 'GET') await imported.promise;
    await route.continue();
  });
  await agent.reload();
  await agent.click('nav-canned-replies');
  await agent.click('import-replies');
  imported.resolve();
  await agent.waitUntilGone('import-replies');
  await agent.waitUntilGone('browser-replies');
  expect((await api.get(REPLIES)).body.meta.total_count).toBe(1);
});

it('are found by a slash in notes and chat', async () => {
  const company = await createCompany();
  await createReply(company, { title: 'Invoice', text: 'The invoice was sent again.' });
  await createReply(company, {
    title: 'Bill by post',
    text: 'The bill\ncomes by post.',
    shortcut: 'invoice',
  });
  await createReply(company, { title: 'Greeting', text: 'Good morning.' });
  const { agent, customer } = await scene.connected(company);
  const { page } = agent;
  const { keyboard } = page;
  await keepInBrowser(agent, [{ title: 'Own text', text: 'Only here.' }]);
  await agent.reload();
  const notes = await agent.waitForId('notes');
  await notes.click();
  await keyboard.type('1/2 done. /INVO');
  await agent.find('reply-option').nth(1).waitFor();
  expect(await optionsOf(agent).allTextContents()).toEqual(['Bill by post /invoice', 'Invoice ']);
  await check.look(page, 'canned replies in a call');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await agent.waitUntilGone('reply-option');
  await keyboard.type(' End.');
  expect(await notes.inputValue()).toBe('1/2 done. The invoice was sent again. End.');
  await keyboard.type(' /own');
  await agent.find('reply-option').click();
  await keyboard.type(' /');
  await agent.waitForId('reply-option');
  await keyboard.press('Escape');
  await agent.waitUntilGone('reply-option');
  await keyboard.press('Enter');
  expect(await notes.inputValue()).toBe('1/2 done. The invoice was sent again. End. Only here. /\n');

  await notes.fill('Lost the card. /inv');
  await agent.waitForId('reply-option');
  await page.locator('[data-testid=notes-status][data-status=saved]').waitFor();
  const { api } = company.tenant.owner;
  const [call] = (await api.get('/api/v1/calls')).body.data;
  expectStatus(await api.put(`/api/v1/calls/${call.id}`, { notes: 'Changed by another tab. /inv' }), 200);
  await until(async () => (await notes.inputValue()).startsWith('Changed'));
  await agent.find('reply-option').first().click();
  expect(await notes.inputValue()).toBe('Changed by another tab. The bill\ncomes by post.');

  await agent.openChat();
  const input = await agent.waitForId('chat-input');
  await input.fill('a'.repeat(1990));
  await keyboard.type(' /inv');
  await agent.waitForId('reply-option');
  await keyboard.press('Tab');
  await page.getByText('at most 2,000 characters').waitFor();
  expect(await input.inputValue()).toHaveLength(1995);
  await input.fill('');
  await keyboard.type('/inv');
  await agent.waitForId('reply-option');
  await keyboard.press('Tab');
  expect(await input.inputValue()).toBe('The bill\ncomes by post.');
  await keyboard.press('Enter');
  await agent.find('chat-message').filter({ hasText: 'comes by post.' }).waitFor();
  expect(await input.inputValue()).toBe('');
  await customer.click('chat-open');
  await customer.page.getByText('comes by post.').first().waitFor();
  expect(check.found).toEqual([]);
});
