import { expectStatus } from '../support/builders';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { sharedBrowser } from './support/browser/chromium';
import { reloadWithoutWaterfall } from './support/browser/first-requests';
import { recordRings, ringsOf, showTab } from './support/browser/ringing';
import { agentStateOf } from './support/agent-state';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import { loadPage } from './support/pages/load-page';
import { secondsIn } from './support/pages/seconds-in';
import { byTestId, waitForTestId, waitUntilGone } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const sockets = closingSockets(() => webTest().url);
const TITLE = 'Waiting customers';
/** Two notes each time. */
const TWO_RINGS = 4;

/** A company whose calls are offered, and its agent, whose pages record how they ring. */
async function offeringCompany(
  department: Record<string, unknown> = {},
  permission?: NotificationPermission,
) {
  const company = await createCompany({ routing: 'automatic', offer_timeout: 120, ...department });
  const page = await scene.pages.open(await sharedBrowser(), 'agent');
  await recordRings(page, permission);
  return { company, agent: await AgentPage.signIn(page, company) };
}

/** @returns the call's id */
const joined = async ({ tenant, link }: Company): Promise<string> =>
  (await tenant.join(link, { name: 'Clara Customer', reason: 'A wrong invoice' })).call_id;

/** A customer joins; the service offers the call. @returns the call's id */
async function offered(company: Company, agent: AgentPage): Promise<string> {
  const callId = await joined(company);
  await agent.waitForId('offer');
  return callId;
}

const offersOf = async (callId: string) =>
  (
    await webTest().db.query('SELECT status, reason FROM offers WHERE call_id = $1 ORDER BY offered_at', [
      callId,
    ])
  ).rows;

const statusOf = async ({ tenant }: Company, callId: string): Promise<string> =>
  (await tenant.owner.api.get(`/api/v1/calls/${callId}`)).body.data.status;

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

describe('an offer', () => {
  it('comes when the agent ends a pause, is shown in all tabs, rings in one of them, and is accepted with a key', async () => {
    const { company, agent } = await offeringCompany();
    const settings = { pause_reasons: ['Lunch'] };
    expectStatus(await company.tenant.owner.api.put('/api/v1/tenant', settings), 200);
    // The page has the reasons of its last snapshot.
    await agent.reload();
    await agent.waitForId('presence');
    const tab = await scene.pages.openTab(agent.page.context(), 'second tab');
    await recordRings(tab);
    await loadPage(tab, () => tab.goto(`${sharedServers().url}/console`));
    await waitForTestId(tab, 'presence');
    await agent.choosePresence('Paused: Lunch');
    await until(async () => (await byTestId(tab, 'presence').inputValue()) === 'away:Lunch');
    expect(await agentStateOf(company, agent.member)).toEqual({ state: 'paused', reason: 'Lunch' });
    const callId = await joined(company);
    await agent.waitForId('queue-row');
    expect(await agent.find('offer').count()).toBe(0);
    await agent.choosePresence('Available');
    await agent.waitForId('offer');
    expect(await agentStateOf(company, agent.member)).toEqual({ state: 'offered', reason: null });
    await waitForTestId(tab, 'offer');
    await agent.find('offer').filter({ hasText: 'A wrong invoice' }).waitFor();
    const notesOfTabs = () => Promise.all([agent.page, tab].map(async (page) => (await ringsOf(page)).notes));
    await until(async () => Math.max(...(await notesOfTabs())) >= TWO_RINGS);
    expect(Math.min(...(await notesOfTabs()))).toBe(0);
    await until(async () => (await ringsOf(tab)).titles.includes('● Call: Clara Customer'));

    await agent.pressKey('a');
    await agent.waitUntilGone('offer');
    await waitUntilGone(tab, 'offer');
    const notes = await notesOfTabs();
    expect(await statusOf(company, callId)).toBe('active');
    // One tab has the call, until it is wanted in the other one.
    await agent.waitForId('complete');
    await (await waitForTestId(tab, 'call-here')).click();
    await waitForTestId(tab, 'complete');
    await agent.waitForId('call-elsewhere');
    expect(await agent.find('complete').count()).toBe(0);
    for (const page of [agent.page, tab]) await until(async () => (await page.title()) === TITLE);
    // Longer than the pause between two rings.
    await until(async () => (await secondsIn(byTestId(tab, 'call-time'))) >= 4);
    expect(await notesOfTabs()).toEqual(notes);
  });

  it('says which appointment it is, and that the customer has called before', async () => {
    const { company, agent } = await offeringCompany();
    const { tenant, department } = company;
    const clara = { name: 'Clara Customer', email: 'clara@example.com' };
    const earlier = await tenant.join(company.link, clara);
    await agent.waitForId('offer');
    expect(await agent.find('offer-known-customer').count()).toBe(0);
    expect(await agent.find('offer-claimed-customer').count()).toBe(0);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${earlier.call_id}/start`), 200);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${earlier.call_id}/complete`), 200);
    const first = await tenant.owner.api.get(`/api/v1/calls/${earlier.call_id}`);
    const booked = await tenant.owner.api.post('/api/v1/appointments', {
      user_id: agent.member.id,
      department_id: department.id,
      customer_id: first.body.data.customer_id,
      title: 'Contract renewal',
      starts_at: inMinutes(5),
      ends_at: inMinutes(35),
    });
    const { body } = await tenant.owner.api.post(`/api/v1/appointments/${booked.body.data.id}/confirm`);
    const again = await tenant.join(body.data.access_link, clara);
    const offer = agent.find('offer').filter({ hasText: 'Has called before' });
    await offer.filter({ hasText: /Appointment at \d\d:\d\d: Contract renewal/ }).waitFor();
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${again.call_id}/start`), 200);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${again.call_id}/complete`), 200);

    await tenant.join(company.link, { name: 'Mallory', email: 'clara@example.com' });
    const claim = 'Says to be a known customer, not confirmed';
    await agent.find('offer').filter({ hasText: claim }).waitFor();
    const check = new BarrierCheck();
    await check.look(agent.page, 'offer, customer not confirmed');
    expect(check.found).toEqual([]);
    expect(await agent.find('offer-known-customer').count()).toBe(0);
  });

  it('counts the seconds down, is declined with a reason, and its keys do nothing while it is typed', async () => {
    const { company, agent } = await offeringCompany();
    const callId = await offered(company, agent);
    const check = new BarrierCheck();
    const timer = agent.find('offer').getByRole('timer');
    const before = await secondsIn(timer);
    expect(before).toBeLessThanOrEqual(120);
    await check.look(agent.page, 'offer');
    await until(async () => (await secondsIn(timer)) < before);
    const left = Number(await agent.find('offer').getByRole('progressbar').getAttribute('aria-valuenow'));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(100);
    await agent.click('offer-decline-because');
    await check.look(agent.page, 'offer, reason to decline');
    await agent.page.keyboard.type('bad day');
    await agent.page.keyboard.press('Enter');
    await agent.waitUntilGone('offer');
    expect((await offersOf(callId))[0]).toEqual({ status: 'declined', reason: 'bad day' });
    await agent.page.keyboard.press('?');
    await agent.waitForId('shortcuts');
    await check.look(agent.page, 'shortcuts');
    expect(check.found).toEqual([]);
  });

  it('takes its keys at once when a field goes that was left before', async () => {
    const { company, agent } = await offeringCompany();
    const { page } = agent;
    const callId = await offered(company, agent);
    await agent.click('offer-decline-because');
    await page.locator('[data-testid=offer-decline-reason]:focus').waitFor();
    await page.getByRole('banner').click({ position: { x: 640, y: 3 } });
    await page.locator('html[data-keys="ready"]').waitFor();
    await agent.find('offer-decline-reason').evaluate((field) => field.remove());
    await page.keyboard.press('d');
    await agent.waitUntilGone('offer');
    expect((await offersOf(callId))[0]).toMatchObject({ status: 'declined' });
  });

  it('takes no keys that are typed when it goes with the field, and those of the next one act after a pause', async () => {
    const { company, agent } = await offeringCompany();
    const { page } = agent;
    const menu = agent.find('account-menu');
    await menu.focus();
    const [callId, nextId] = [await offered(company, agent), await joined(company)];
    await agent.click('offer-decline-because');
    await page.locator('[data-testid=offer-decline-reason]:focus').waitFor();
    await agent.pressKey('b');
    // After this pause a letter would act, if the field did not go in the middle of a word.
    await page.locator('html[data-keys="ready"]').waitFor();
    const { api } = await company.tenant.member('attendant', [company.department.id]);
    expectStatus(await api.post(`/api/v1/calls/${callId}/assign`), 200);
    await agent.waitUntilGone('offer-decline-reason');
    await agent.waitForId('offer');
    await page.keyboard.type('ad day');
    await page.keyboard.press('Enter');
    await agent.find('offer').locator('kbd').first().waitFor();
    expect(await offersOf(nextId)).toMatchObject([{ status: 'pending' }]);
    expect(await statusOf(company, nextId)).toBe('queued');
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await agent.pressKey('d');
    await agent.waitUntilGone('offer');
    expect((await offersOf(nextId))[0]).toMatchObject({ status: 'declined' });
  });

  it('pauses the agent when it expires, and a click makes the agent available again', async () => {
    const { company, agent } = await offeringCompany({ offer_timeout: 5 });
    // On a busy machine the offer can end before the test sees it.
    const callId = await joined(company);
    await agent.waitForId('missed-offer');
    expect(await agent.find('offer').count()).toBe(0);
    expect(await offersOf(callId)).toMatchObject([{ status: 'expired' }]);
    const path = `/api/v1/departments/${company.department.id}`;
    expectStatus(await company.tenant.owner.api.put(path, { offer_timeout: 120 }), 200);
    await agent.click('available-again');
    await agent.waitUntilGone('missed-offer');
    await agent.waitForId('offer');
  });

  it('shows a notification that the agent has allowed, and disappears with the reason when a colleague takes the call', async () => {
    const { company, agent } = await offeringCompany({}, 'default');
    await agent.click('notify');
    await agent.waitUntilGone('notify');
    await showTab(agent.page, false);
    const callId = await offered(company, agent);
    await until(async () => (await ringsOf(agent.page)).notifications.length > 0);
    expect(await ringsOf(agent.page)).toMatchObject({ notifications: ['Call for you'], closed: [] });
    const { api } = await company.tenant.member('attendant', [company.department.id]);
    expect((await api.post(`/api/v1/calls/${callId}/assign`)).status).toBe(200);
    await agent.page.getByRole('alert').filter({ hasText: 'another agent has taken it' }).waitFor();
    expect(await agent.find('offer').count()).toBe(0);
    await until(async () => (await ringsOf(agent.page)).closed.length > 0);
    expect(await ringsOf(agent.page)).toMatchObject({ notifications: ['Call for you'] });
  });
});

it('two agents answer the same customer: the second one reads that the first was faster', async () => {
  const company = await createCompany({ agents: 2 });
  const { call_id } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  const [winner, loser] = await Promise.all(company.agents.map((member) => scene.agent(company, { member })));
  if (!winner || !loser) throw new Error('The company has two agents');
  await winner.find('queue-row').waitFor();
  await loser.page.route('**/start', async (route) => {
    await winner.answer();
    await until(async () => (await statusOf(company, call_id)) === 'active');
    await route.continue();
  });
  await loser.answer();
  await loser.page.getByRole('alert').filter({ hasText: 'somebody else was faster' }).waitFor();
  await loser.waitForId('queue-empty');
  const { body } = await company.tenant.owner.api.get(`/api/v1/calls/${call_id}`);
  expect(body.data.user_id).toBe(winner.member.id);
});

it('the queue shows priorities, devices and how long each customer waits, at once after a reload, without barriers', async () => {
  const company = await createCompany();
  const agent = await scene.agent(company);
  const check = new BarrierCheck();
  await check.look(agent.page, 'queue, empty');
  const { tenant, department } = company;
  const link = await tenant.link(department.id, { priority: 3 });
  const { websocket_token } = await tenant.join(link, { name: 'Clara Customer' });
  const row = agent.find('queue-row').filter({ hasText: 'Priority 3' });
  await row.waitFor();
  expect(await byTestId(row, 'device-report').count()).toBe(0);
  const waiting = row.getByText('waiting for');
  const before = await secondsIn(waiting);

  const customer = await sockets.connect(websocket_token);
  const report = { camera: 'refused', microphone: 'ok', network: 'poor', relay: false };
  expect(await customer.send('device_report', report)).toMatchObject({ ok: true });
  const devices = await waitForTestId(row, 'device-report');
  expect(
    await devices.getByRole('img').evaluateAll((images) => images.map((image) => image.ariaLabel)),
  ).toEqual(['Camera refused', 'Microphone works', 'Network poor', 'Relay not reachable']);
  await check.look(agent.page, 'queue, priorities');
  await until(async () => (await secondsIn(waiting)) > before);
  expect(check.found).toEqual([]);

  const { modules, requests } = await reloadWithoutWaterfall(agent.page, () => row.waitFor());
  expect(modules.length).toBeGreaterThan(0);
  expect(modules.filter((path) => requests.get(path) !== 1)).toEqual([]);
});
