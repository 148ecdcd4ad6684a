import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../support/builders';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { agentStateOf } from './support/agent-state';
import { BarrierCheck } from './support/browser/barrier-check';
import { addBlurCapability, blurOfSentPictures } from './support/browser/blur-capability';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany, webTest } from './support/company';
import type { AgentPage } from './support/pages/agent-page';
import { loadPage } from './support/pages/load-page';
import { secondsIn } from './support/pages/seconds-in';
import { waitForTestId, waitUntilGone } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const sockets = closingSockets(() => webTest().url);

const callOf = async ({ member: { api } }: AgentPage, search = '') => {
  const { body } = await api.get(`/api/v1/calls?search=${search}`);
  return (await api.get(`/api/v1/calls/${body.data[0].id}`)).body.data;
};

const untilSaved = (agent: AgentPage) =>
  agent.page.locator('[data-testid=notes-status][data-status=saved]').waitFor();

/** Opens the devices by a key, and blurs the background where the browser can. */
async function blurByKeys(agent: AgentPage): Promise<void> {
  const { page } = agent;
  const blur = page.getByRole('switch', { name: 'Blur the background' });
  const camera = page.getByLabel('Camera', { exact: true });
  await page.keyboard.press('o');
  await camera.waitFor();
  expect(await blur.count()).toBe(0);
  await page.keyboard.press('Escape');
  await camera.waitFor({ state: 'detached' });
  await addBlurCapability(page);
  await page.keyboard.press('o');
  expect(await blurOfSentPictures(page)).toEqual([false]);
  await blur.press('Space');
  await until(async () => (await blurOfSentPictures(page)).every(Boolean));
  await page.keyboard.press('Escape');
  await camera.waitFor({ state: 'detached' });
}

/** Opens by its key what closes again by Escape, or stays beside the call. */
async function openByKeys(agent: AgentPage): Promise<void> {
  const { page } = agent;
  const { keyboard } = page;
  for (const [key, tab] of [
    ['f', 'tab-files'],
    ['i', 'tab-customer'],
  ] as const) {
    await keyboard.press(key);
    await page.locator(`[data-testid=${tab}][aria-selected=true]`).waitFor();
  }
  for (const [key, shown] of [
    ['t', 'transfer-target'],
    ['x', 'canned-edit'],
  ] as const) {
    await keyboard.press(key);
    await agent.waitForId(shown);
    await keyboard.press('Escape');
    await agent.waitUntilGone(shown);
  }
  await keyboard.press('g');
  await page.locator('[data-testid=tag-add]:focus').waitFor();
  await keyboard.press('Escape');
  await keyboard.press('Tab');
  const isSmall = () => page.evaluate(() => document.pictureInPictureElement !== null);
  for (const expected of [true, false]) {
    await agent.pressKey('p');
    await until(async () => (await isSmall()) === expected);
  }
}

/** All shortcuts in the code of the console, and those that act without the pause before them. */
function keysInCode(): { all: string[]; atOnce: string[] } {
  const folder = join(__dirname, '../../web/console');
  const found = globSync('**/*.tsx', { cwd: folder }).flatMap((file) =>
    Array.from(
      readFileSync(join(folder, file), 'utf8').matchAll(/useShortcut\(\{\s*keys: '([^']+)'[^]*?\}\);/g),
      ([options, key = '']) => ({ key: key.toUpperCase(), isAtOnce: options.includes('onlyOpens: true') }),
    ),
  );
  const sorted = (keys: typeof found) => [...new Set(keys.map(({ key }) => key))].toSorted();
  return { all: sorted(found), atOnce: sorted(found.filter(({ isAtOnce }) => isAtOnce)) };
}

/** They open something or move the focus, and change nothing. */
const AT_ONCE = ['?', 'C', 'F', 'G', 'I', 'N', 'O', 'T', 'X'];

/** The time in which the end can be taken back, which begins now, does not pass. */
const holdUndo = ({ page }: AgentPage) =>
  page.evaluate(() => {
    const { setTimeout: original } = globalThis;
    globalThis.setTimeout = ((work: () => void, delay?: number) =>
      original(work, delay === 3000 ? 600_000 : delay)) as typeof setTimeout;
  });

const isActive = async (agent: AgentPage) => (await callOf(agent)).status === 'active';

describe("the agent's call", () => {
  it('stays as it was when the customer hangs up in the middle of a word, until it is closed', async () => {
    const company = await createCompany();
    const { api } = company.tenant.owner;
    const tag = await api.post('/api/v1/tags', { name: 'Billing', color: '#dc2626' });
    const { agent, customer } = await scene.connected(company);
    const { page } = agent;
    await customer.say('My card is lost.');
    await agent.click('tag-add');
    await page.getByRole('option', { name: 'Billing' }).click();
    await agent.click('tab-files');
    const file = { name: 'damage.txt', mimeType: 'text/plain', buffer: Buffer.from('A dent') };
    await page.getByTestId('file-input').setInputFiles(file);
    await agent.waitForId('call-file');
    await agent.openChat();
    const notes = await agent.waitForId('notes');
    await notes.click();
    await page.keyboard.type('Wants card');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const elements = ['notes', 'call-tag', 'tag-add', 'chat-message', 'chat-input', 'tab-files', 'call-file'];
    const handles = await Promise.all(elements.map((id) => page.getByTestId(id).first().elementHandle()));
    await customer.hangUp();
    await agent
      .find('after-call')
      .filter({ hasText: /The call has ended\. Call time: 0:\d\d/ })
      .waitFor();
    await page.keyboard.type('ould, ');
    expect(await notes.inputValue()).toBe('Would, ants card');
    await untilSaved(agent);
    expect(await callOf(agent)).toMatchObject({
      status: 'completed',
      notes: 'Would, ants card',
      tags: [{ id: tag.body.data.id }],
    });
    for (const handle of handles) expect(await handle?.evaluate((element) => element.isConnected)).toBe(true);
    expect(await agent.find('remote-video').count()).toBe(0);
    await agent.click('call-close');
    await agent.waitUntilGone('notes');
  });

  it('stays when it has ended, also over a reload, while another one is assigned, which waits to be answered', async () => {
    const { agent, customer, company } = await scene.connected();
    const { tenant, link } = company;
    const { page } = agent;
    await customer.say('My card is lost.');
    const { call_id } = await tenant.join(link, { name: 'Second Customer' });
    const assigned = { user_id: agent.member.id };
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`, assigned), 200);
    const notes = await agent.waitForId('notes');
    await notes.click();
    await page.keyboard.type('Wants');
    await agent.member.api.post(`/api/v1/calls/${(await callOf(agent, 'Clara')).id}/complete`);
    await agent.waitForId('after-call');
    const next = agent.find('call-next').filter({ hasText: 'Second Customer' });
    await next.waitFor();
    await page.keyboard.type(' a new card.');
    expect(await notes.inputValue()).toBe('Wants a new card.');
    await untilSaved(agent);

    await agent.reload();
    await agent.find('after-call').filter({ hasText: 'The call has ended.' }).waitFor();
    await next.waitFor();
    expect(await notes.inputValue()).toBe('Wants a new card.');
    await agent.openChat();
    await agent.find('chat-message').filter({ hasText: 'My card is lost.' }).waitFor();
    expect((await callOf(agent, 'Second')).status).toBe('assigned');
    await agent.click('nav-calls');
    await agent.find('call-dock').filter({ hasText: 'Second Customer' }).getByRole('link').click();
    await agent.waitForId('after-call');
    await agent.click('answer-next');
    await agent.waitForId('complete');
    await agent.waitUntilGone('call-next');
    expect(await agent.find('after-call').count()).toBe(0);
    expect((await callOf(agent, 'Second')).status).toBe('active');

    await agent.complete();
    await agent.waitForId('after-call');
    await agent.click('call-close');
    await agent.waitUntilGone('after-call');
    await agent.reload();
    await agent.waitForId('queue-empty');
    expect(await agent.find('after-call').count()).toBe(0);
  });

  it('says when it has ended that the connection of the customer was lost', async () => {
    const { agent, customer } = await scene.connected();
    await customer.page.close();
    await agent
      .find('after-call')
      .filter({ hasText: 'a connection was lost and did not come back' })
      .waitFor();
    expect(await callOf(agent)).toMatchObject({ status: 'completed', end_reason: 'disconnect' });
  });

  it('is not closed by what is typed on when it ends with the field', async () => {
    const { agent } = await scene.connected();
    const { keyboard } = agent.page;
    await agent.click('transfer');
    await agent.click('transfer-note');
    await keyboard.type('Wants');
    await agent.member.api.post(`/api/v1/calls/${(await callOf(agent)).id}/complete`);
    await agent.page.locator('[data-testid=after-call]:focus').waitFor();
    await keyboard.type(' a new card');
    await keyboard.press('Enter');
    expect(await agent.find('after-call').isVisible()).toBe(true);
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await agent.waitUntilGone('after-call');
  });

  it('ends a moment after the press of its button or key, apart from the other buttons, unless that is taken back', async () => {
    const { agent, customer } = await scene.connected();
    const { page } = agent;
    await agent.click('nav-calls');
    await page.getByRole('link', { name: 'Clara Customer' }).first().click();
    // Its details lead here instead of ending it in another way.
    await agent.waitForId('own-call');
    expect(await page.getByRole('button', { name: 'End the call' }).count()).toBe(0);
    await agent.click('own-call');
    await agent.waitForId('complete');
    const controls = await page.getByRole('group', { name: 'Call controls' }).boundingBox();
    const end = await (await agent.waitForId('complete')).boundingBox();
    if (!controls || !end) throw new Error('Both are shown');
    expect(end.x - (controls.x + controls.width)).toBeGreaterThanOrEqual(24);
    await holdUndo(agent);
    await agent.click('complete');
    await agent.waitForId('undo');
    expect(await agent.find('complete').boundingBox()).toEqual(end);
    const check = new BarrierCheck();
    await check.look(page, 'call, about to end');
    expect(check.found).toEqual([]);
    await agent.click('undo');
    await agent.waitUntilGone('undo');
    await page.locator('[data-testid=complete]:focus').waitFor();
    await agent.pressKey('e');
    await agent.waitForId('undo');
    await page.keyboard.press('Escape');
    await agent.waitUntilGone('undo');
    expect(await isActive(agent)).toBe(true);
    // The call also ends if the agent opens another page in that time.
    await agent.click('complete');
    await agent.waitForId('undo');
    await agent.click('nav-calls');
    await customer.waitFor('rating');
  });

  it('saves notes while they are typed, keeps them when the service does not answer, and inserts prepared texts', async () => {
    const company = await createCompany();
    const reply = { title: 'Sent', text: 'The card was sent.' };
    await company.tenant.owner.api.post('/api/v1/canned-replies', reply);
    const { agent } = await scene.connected(company);
    const { page } = agent;
    const notes = await agent.waitForId('notes');
    await notes.fill('Wants a new card.');
    await untilSaved(agent);
    expect((await callOf(agent)).notes).toBe('Wants a new card.');

    await page.route('**/api/v1/calls/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    );
    await notes.fill('Wants a new card soon.');
    await page.locator('[data-testid=notes-status][data-status=failed]').waitFor();
    await page.unroute('**/api/v1/calls/*');
    await agent.reload();
    await untilSaved(agent);
    expect(await agent.find('notes').inputValue()).toBe('Wants a new card soon.');

    await agent.click('canned-open');
    await agent.click('canned-note');
    await until(async () => (await callOf(agent)).notes === 'Wants a new card soon. The card was sent.');
  });

  it('shows the customer and their earlier calls, and takes tags', async () => {
    const company = await createCompany();
    const { api } = company.tenant.owner;
    await api.post('/api/v1/tags', { name: 'Billing', color: '#dc2626' });
    const { body } = await api.post('/api/v1/customers', { name: 'Clara Customer' });
    const link = { department_id: company.department.id, customer_id: body.data.id };
    company.link = (await api.post('/api/v1/access-links', link)).body.data;
    const { agent, customer } = await scene.connected(company);
    await (await agent.waitForId('notes')).fill('Lost the card.');
    await untilSaved(agent);
    await agent.complete();
    await customer.waitFor('rating');

    await scene.waiting(company);
    await agent.answer();
    await agent.find('previous-call').filter({ hasText: 'Lost the card.' }).waitFor();
    await agent.click('customer-edit');
    await agent.find('customer-email').fill('nobody');
    await agent.click('save');
    await agent.page.locator('[role=dialog] [aria-invalid=true]').waitFor();
    await agent.find('customer-email').fill('clara@example.com');
    await agent.click('save');
    await agent.waitUntilGone('save');
    await agent.page.getByRole('link', { name: 'clara@example.com' }).waitFor();

    await agent.click('tag-add');
    await agent.page.getByRole('option', { name: 'Billing' }).click();
    await agent.find('call-tag').filter({ hasText: 'Billing' }).waitFor();
    expect((await callOf(agent)).tags).toMatchObject([{ name: 'Billing' }]);
  });

  it('says who a customer says to be, with the record and earlier calls after a click', async () => {
    const company = await createCompany();
    const { tenant } = company;
    const { api } = tenant.owner;
    const email = 'x?bcc=all@evil.example';
    const known = { name: 'Clara Customer', email, document: '390.533.447-05', phone: '+55 11 91234-5678' };
    const { id: customer_id } = (await api.post('/api/v1/customers', known)).body.data;
    const own = await tenant.link(company.department.id, { customer_id });
    const earlier = await tenant.join(own, { name: 'Clara Customer' });
    for (const act of ['start', 'complete'])
      expectStatus(await api.post(`/api/v1/calls/${earlier.call_id}/${act}`), 200);
    await tenant.join(company.link, { name: 'Mallory', email });

    const agent = await scene.agent(company);
    await agent.answer('Mallory');
    const card = await agent.waitForId('customer-card');
    await card.getByText('Says to be Clara Customer, not confirmed').waitFor();
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('Mallory');
    expect(text).not.toMatch(/390\.533|91234|earlier call/);
    for (const hidden of ['previous-call', 'customer-edit']) expect(await agent.find(hidden).count()).toBe(0);
    // The address that was typed adds no recipient to the mail.
    const mail = card.getByRole('link', { name: email });
    expect(await mail.getAttribute('href')).toBe('mailto:x%3Fbcc%3Dall@evil.example');
    const check = new BarrierCheck();
    await check.look(agent.page, 'call, customer not confirmed');
    expect(check.found).toEqual([]);

    await agent.click('customer-open');
    await agent.find('previous-call').waitFor();
    await card.getByText('390.533.447-05').waitFor();
    await card.getByText('Says to be Clara Customer, not confirmed').waitFor();
    expect(await card.getByRole('link', { name: known.phone }).getAttribute('href')).toBe(
      'tel:+5511912345678',
    );

    // The erasure of Clara takes her record from the page, and the call goes on.
    expectStatus(await api.post(`/api/v1/customers/${customer_id}/erase`), 200);
    await card.getByText('There is no customer record for this call.').waitFor();
    expect(await card.textContent()).not.toMatch(/Clara|390\.533|91234/);
    await agent.complete();
  });

  it('is led by keys alone from the offer to the end of the wrap-up, and all keys are listed', async () => {
    const company = await createCompany({ routing: 'automatic', offer_timeout: 120, wrap_up_time: 300 });
    const tag = { name: 'Billing', color: '#dc2626' };
    expectStatus(await company.tenant.owner.api.post('/api/v1/tags', tag), 201);
    const [agent, customer] = await Promise.all([scene.agent(company), scene.waiting(company)]);
    const { page } = agent;
    const { keyboard } = page;
    await agent.waitForId('offer');
    const listed = await agent.listedKeys();
    await agent.pressKey('a');
    await waitForPictures(agent, customer);
    listed.push(...(await agent.listedKeys()));
    await blurByKeys(agent);
    await openByKeys(agent);
    await agent.pressKey('r');
    await customer.click('recording-refuse');
    // The camera that is opened again is blurred, too.
    await agent.pressKey('v');
    await page.locator('[data-testid=toggle-camera][data-on=false]').waitFor();
    await agent.pressKey('v');
    await page.locator('[data-testid=toggle-camera][data-on=true]').waitFor();
    await until(async () => String(await blurOfSentPictures(page)) === 'true');
    await agent.pressKey('m');
    await page.locator('[data-testid=toggle-microphone][data-on=false]').waitFor();
    await customer.say('Are you there?');
    await agent.find('chat-unread').filter({ hasText: '1' }).waitFor();
    await keyboard.press('c');
    await agent.waitUntilGone('chat-unread');
    await keyboard.type('me too');
    expect(await agent.find('chat-input').inputValue()).toBe('me too');
    await keyboard.press('Enter');
    await agent.find('chat-message').filter({ hasText: 'me too' }).waitFor();
    await keyboard.press('Tab');
    await keyboard.press('n');
    await keyboard.type('Could not be heard.');
    await untilSaved(agent);

    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await agent.pressKey('e');
    await customer.waitFor('rating');
    await agent.waitForId('after-call');
    listed.push(...(await agent.listedKeys()));
    const { all, atOnce } = keysInCode();
    expect([...new Set(listed)].toSorted()).toEqual(all);
    expect(atOnce).toEqual(AT_ONCE);
    await keyboard.press('n');
    await keyboard.press('Control+End');
    await keyboard.type(' Called back.');
    await untilSaved(agent);
    expect(await callOf(agent)).toMatchObject({
      status: 'completed',
      notes: 'Could not be heard. Called back.',
    });
    await keyboard.press('Shift+Tab');
    await agent.pressKey('w');
    await agent.waitUntilGone('wrap-up');
    expect(await agentStateOf(company, agent.member)).toMatchObject({ state: 'available' });
  });

  it('shows who can take it over, after a reload that a colleague is being asked, and what is left to write and how long when it has ended', async () => {
    const company = await createCompany({ agents: 2, wrap_up_time: 300, offer_timeout: 120 });
    const [, colleague] = company.agents;
    if (!colleague) throw new Error('The company has two agents');
    const socket = await sockets.connect(colleague.token);
    const { agent } = await scene.connected(company);
    const { page } = agent;
    const status = agent.find('transfer-status');
    const asked = status.filter({ hasText: `${colleague.name} is being asked` });
    await agent.click('transfer');
    const targets = await agent.waitForId('transfer-target');
    const shows = (state: string) =>
      targets.getByRole('option', { name: `${colleague.name} (${state})` }).waitFor({ state: 'attached' });
    await shows('Available');
    await agent.click('transfer-submit');
    await page.getByText('Please choose').waitFor();
    expect(await targets.getAttribute('aria-invalid')).toBe('true');

    // The list follows the colleague while it is open; what was chosen is not lost.
    await targets.selectOption(`agent:${colleague.id}`);
    await socket.send('set_presence', { presence: 'away' });
    await shows('Paused');
    expect(await targets.getByRole('option', { name: colleague.name }).isDisabled()).toBe(true);
    await agent.click('transfer-submit');
    await page.getByRole('dialog').getByText('This agent is not available.').waitFor();
    await socket.send('set_presence', { presence: 'online' });
    await shows('Available');
    const { call_id } = await company.tenant.join(company.link);
    expectStatus(await colleague.api.post(`/api/v1/calls/${call_id}/start`), 200);
    await shows('In a call');
    expectStatus(await colleague.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    await shows('Wrap-up');
    expectStatus(await colleague.api.post('/api/v1/users/me/wrap-up/finish'), 200);
    await shows('Available');
    await agent.click('transfer-submit');
    await asked.waitFor();
    await agent.reload();
    await asked.waitFor();
    const { body } = await colleague.api.get('/api/v1/offers');
    await socket.send('decline_offer', { offer_id: body.data[0].id });
    await status.filter({ hasText: `${colleague.name} has declined` }).waitFor();

    await (await agent.waitForId('notes')).fill('Will call again.');
    await untilSaved(agent);
    await agent.complete();
    await agent.waitForId('after-call');
    const tab = await scene.pages.openTab(page.context(), 'second tab');
    await loadPage(tab, () => tab.goto(`${sharedServers().url}/console`));
    await waitForTestId(tab, 'after-call');
    await agent.reload();
    await agent.waitForId('after-call');
    expect(await agent.find('notes').inputValue()).toBe('Will call again.');
    const timer = agent.find('wrap-up').getByRole('timer');
    const before = await secondsIn(timer);
    expect(before).toBeLessThanOrEqual(300);
    await until(async () => (await secondsIn(timer)) < before);
    await agent.click('wrap-up-extend-1');
    await until(async () => (await secondsIn(timer)) > before);
    expect(await agentStateOf(company, agent.member)).toMatchObject({ state: 'wrap_up' });
    await agent.click('wrap-up-finish');
    await waitUntilGone(tab, 'after-call');
    expect(await agentStateOf(company, agent.member)).toMatchObject({ state: 'available' });
    await agent.click('call-close');
    await agent.waitUntilGone('after-call');
  });

  it('that is handed over says where it went, and its note is read by the next agent', async () => {
    const company = await createCompany({ agents: 2 });
    const [former, next] = company.agents;
    if (!former || !next) throw new Error('The company has two agents');
    const agent = await scene.agent(company, { member: former });
    const colleague = await scene.agent(company, { member: next });
    const { call_id, websocket_token } = await company.tenant.join(company.link, { name: 'Clara Customer' });
    const customer = await sockets.connect(websocket_token);
    const report = { camera: 'missing', microphone: 'ok', network: 'fair', relay: true };
    expect(await customer.send('device_report', report)).toMatchObject({ ok: true });
    await agent.answer();
    await agent.waitForId('transfer');
    const found = agent.find('customer-card').getByTestId('device-report');
    expect(await found.textContent()).toContain('Camera: missing · Microphone: working · Network: Fair');
    const transfer = { user_id: next.id, note: 'Wants an invoice' };
    expect((await former.api.post(`/api/v1/calls/${call_id}/transfer`, transfer)).status).toBe(200);
    // It disappears after a few seconds.
    const notice = agent.page.getByText(`${next.name} has the call with Clara Customer now.`);
    await Promise.all([notice.waitFor(), colleague.click('offer-accept')]);
    await colleague.find('transfer-note-before').filter({ hasText: 'Wants an invoice' }).waitFor();
    expect(await agent.find('complete').count()).toBe(0);
  });
});
