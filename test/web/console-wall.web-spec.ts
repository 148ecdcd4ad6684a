import type { Locator } from 'playwright-core';
import { expectStatus, type Member } from '../support/builders';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { sharedBrowser } from './support/browser/chromium';
import { cuttableSocket } from './support/browser/socket-cut';
import { callScene } from './support/call-scene';
import { webTest } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import { byTestId } from './support/pages/test-id';
import { completedCall, supervisedCompany } from './support/supervised-company';

const scene = callScene();
const { connect } = closingSockets(() => webTest().url);
const check = new BarrierCheck();

beforeEach(() => check.reset());
afterEach(() => expect(check.found).toEqual([]));

const query = (sql: string, values: unknown[]) => webTest().db.query(sql, values);

/** The row of an agent in a state. */
const rowOf = ({ page }: AgentPage, { name }: Member, state: string) =>
  page.locator(`[data-testid="wall-agent"][data-state="${state}"]`).filter({ hasText: name });

it('the wall shows who waits and since when, how the day goes, and changes the state of an agent', async () => {
  const { company, agent } = await supervisedCompany(connect, { routing: 'automatic' });
  const { owner } = company.tenant;
  // A member of the department would be one of its agents who are available.
  const supervisor = await company.tenant.member('supervisor');
  await completedCall(company, agent, 'Answered Soon');
  await query('UPDATE calls SET wait_time = 5 WHERE tenant_id = $1', [company.tenant.id]);
  const late = await completedCall(company, agent, 'Answered Late');
  await query('UPDATE calls SET wait_time = 21 WHERE id = $1', [late]);
  // The state of the agent is older, and the customer has waited longer, than a test lasts.
  await query(`UPDATE presences SET state_since = now() - interval '40 minutes' WHERE user_id = $1`, [
    agent.id,
  ]);
  const path = `/api/v1/departments/${company.department.id}`;
  expectStatus(await owner.api.put(path, { routing: 'manual' }), 200);

  const page = await scene.pages.open(await sharedBrowser(), 'supervisor');
  const socket = await cuttableSocket(page);
  const desk = await AgentPage.signIn(page, company, supervisor);
  await desk.click('nav-wall');
  await desk.waitForId('wall-line');
  await byTestId(page, 'line-service-level').filter({ hasText: /^50%$/ }).waitFor();
  await page.getByRole('region', { name: 'Today' }).getByText('50%', { exact: true }).waitFor();
  const { call_id } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  await byTestId(page, 'wall-waiting').filter({ hasText: 'Clara Customer' }).waitFor();
  expect(await byTestId(page, 'line-size').textContent()).toBe('1');

  const age = (state: string) => byTestId(rowOf(desk, agent, state), 'agent-age');
  await age('available')
    .filter({ hasText: /^4\d:\d\d$/ })
    .waitFor();
  await byTestId(rowOf(desk, agent, 'available'), 'agent-menu').click();
  await desk.click('make-paused');
  await age('paused')
    .filter({ hasText: /^0:\d\d$/ })
    .waitFor();
  await desk.waitUntilGone('make-paused');

  await query(`UPDATE calls SET inserted_at = inserted_at - interval '7 minutes' WHERE id = $1`, [call_id]);
  await socket.cut();
  await desk.find('wall-stale').filter({ hasText: 'No news from the service since' }).waitFor();
  socket.restore();
  await desk.waitUntilGone('wall-stale');
  await byTestId(page, 'line-longest')
    .filter({ hasText: /^[7-9]:\d\d$/ })
    .waitFor();

  // The company wants to be alerted of long waits by its service level alone, until it says otherwise.
  await page.getByText('0 of 2 agents available').waitFor();
  expect(await desk.find('line-alerts').textContent()).toBe('Waiting longer than 0:20');
  expectStatus(await owner.api.put('/api/v1/tenant', { alert_nobody_available: true }), 200);
  await desk.reload();
  await desk.find('line-alerts').filter({ hasText: 'Nobody available' }).waitFor();
  await owner.api.put(path, { opening_hours: { weekly: {} } });
  await byTestId(page, 'line-closed').filter({ hasText: 'Closed' }).waitFor();
  await check.look(page, 'wall');
});

it('a customer who was found only by a typed e-mail is not confirmed in the line, on the wall and among the calls', async () => {
  const { company, supervisor } = await supervisedCompany(connect, { routing: 'manual' });
  const email = 'vera@example.com';
  expectStatus(await company.tenant.owner.api.post('/api/v1/customers', { name: 'Vera', email }), 201);
  await company.tenant.join(company.link, { name: 'Mallory', email });
  await company.tenant.join(company.link, { name: 'Newcomer' });
  const desk = await scene.agent(company, { member: supervisor });
  const rowOfCustomer = (name: string) => desk.find('queue-row').filter({ hasText: name });
  await rowOfCustomer('Mallory').filter({ hasText: 'not confirmed' }).waitFor();
  expect(await rowOfCustomer('Newcomer').textContent()).not.toContain('not confirmed');

  await desk.click('nav-wall');
  const waiting = byTestId(desk.page, 'wall-waiting');
  await waiting.filter({ hasText: 'Mallory (not confirmed)' }).waitFor();
  expect(await waiting.filter({ hasText: 'Newcomer' }).textContent()).not.toContain('not confirmed');

  await desk.click('nav-calls');
  await desk.page.getByText('Mallory (not confirmed)').click();
  await desk.page.getByRole('heading', { name: 'Call of Mallory (not confirmed)' }).waitFor();
  await desk.find('call-facts').getByText('says to be a known customer, not confirmed').waitFor();
  const link = desk.find('call-facts').getByRole('link', { name: 'Mallory' });
  expect(await link.evaluate((shown) => getComputedStyle(shown).textDecorationLine)).toBe('underline');
});

it('a supervisor hands a call over: on the wall to an agent, who takes it, and on its page to a department', async () => {
  const { company, supervisor, agent } = await supervisedCompany(connect);
  const sales = await company.tenant.department({ name: 'Sales' });
  const helper = await scene.agent(company, { member: await company.tenant.member('attendant') });
  const desk = await scene.agent(company, { member: supervisor });
  const { call_id, websocket_token } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  await connect(websocket_token);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/assign`), 200);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  const callNow = async () => (await agent.api.get(`/api/v1/calls/${call_id}`)).body.data;

  await desk.click('nav-wall');
  const openDialog = async () => {
    // While the figures of the day arrive the list moves, and a menu whose button leaves the window is hidden.
    await until(async () => {
      await byTestId(rowOf(desk, agent, 'on_call'), 'agent-menu').click();
      return isClickedSoon(desk.find('agent-hand-over').first());
    });
    await desk.waitForId('hand-over-department');
  };
  const askHelper = async () => {
    await desk.page.getByRole('radio', { name: 'An agent' }).check();
    await desk.find('hand-over-agent').selectOption(helper.member.id);
    await desk.page.getByLabel('Note for the next agent').fill('Wants to pay');
    await desk.click('save');
    await desk.page.getByText(`${helper.member.name} is being asked to take the call.`).first().waitFor();
    const offer = helper.find('offer').filter({ hasText: 'hands a call over to you' });
    await offer.filter({ hasText: 'Wants to pay' }).waitFor();
  };
  await openDialog();
  await desk.click('save');
  await desk.waitUntilRefused('hand-over-department');
  await check.look(desk.page, 'call handed over');
  await askHelper();
  await helper.click('offer-decline');
  await desk.page.getByText(`${helper.member.name} has declined the call. It stays where it is.`).waitFor();
  await openDialog();
  await askHelper();
  await helper.click('offer-accept');
  await helper.waitForId('complete');
  expect(await callNow()).toMatchObject({ status: 'active', user_id: helper.member.id });

  await rowOf(desk, helper.member, 'on_call').getByRole('link').click();
  await desk.click('hand-over');
  await desk.find('hand-over-department').selectOption(sales.id);
  await desk.click('save');
  await desk.page.getByText('The customer waits in Sales now.').waitFor();
  await helper.waitUntilGone('complete');
  expect(await callNow()).toMatchObject({ status: 'queued', department_id: sales.id });
  await desk.click('give-to-agent');
  await desk.click('save');
  await desk.waitUntilRefused('agent-choice');
  await desk.find('agent-choice').selectOption(agent.id);
  await desk.click('save');
  await until(async () => (await callNow()).user_id === agent.id);
});

const isClickedSoon = (item: Locator): Promise<boolean> =>
  item.click({ timeout: 2_000 }).then(
    () => true,
    () => false,
  );
