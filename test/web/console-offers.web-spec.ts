import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { sharedBrowser } from './support/browser/chromium';
import { recordRings, ringsOf } from './support/browser/ringing';
import { callScene } from './support/call-scene';
import { type Company, createCompany, webTest } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import { waitForTestId } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const TITLE = 'Waiting customers';
/** Two notes each time. */
const TWO_RINGS = 4;

/** A company whose calls are offered, and its agent, whose pages record how they ring. */
async function offeringCompany(department: Record<string, unknown> = {}) {
  const company = await createCompany({ routing: 'automatic', offer_timeout: 60, ...department });
  const page = await scene.pages.open(await sharedBrowser(), 'agent');
  await recordRings(page);
  return { company, agent: await AgentPage.signIn(page, company) };
}

/** A customer joins; the service offers the call. @returns the call's id */
async function offered({ tenant, link }: Company, agent: AgentPage): Promise<string> {
  const { call_id } = await tenant.join(link, { name: 'Clara Customer', reason: 'A wrong invoice' });
  await agent.waitForId('offer');
  return call_id;
}

const offersOf = async (callId: string) =>
  (
    await webTest().db.query('SELECT status, reason FROM offers WHERE call_id = $1 ORDER BY offered_at', [
      callId,
    ])
  ).rows;

const statusOf = async ({ tenant }: Company, callId: string): Promise<string> =>
  (await tenant.owner.api.get(`/api/v1/calls/${callId}`)).body.data.status;

describe('an offer', () => {
  it('is shown in all tabs, rings in one of them, and is accepted with a key', async () => {
    const { company, agent } = await offeringCompany();
    const tab = await scene.pages.openTab(agent.page.context(), 'second tab');
    await recordRings(tab);
    await tab.goto(`${sharedServers().url}/console`);
    await waitForTestId(tab, 'presence');
    const callId = await offered(company, agent);
    await waitForTestId(tab, 'offer');
    await agent.find('offer').filter({ hasText: 'A wrong invoice' }).waitFor();
    const notesOfTabs = () => Promise.all([agent.page, tab].map(async (page) => (await ringsOf(page)).notes));
    await until(async () => Math.max(...(await notesOfTabs())) >= TWO_RINGS);
    expect(Math.min(...(await notesOfTabs()))).toBe(0);
    await until(async () => (await ringsOf(tab)).titles.includes('● Call: Clara Customer'));

    await agent.page.keyboard.press('a');
    await agent.waitUntilGone('offer');
    expect(await statusOf(company, callId)).toBe('active');
    // One tab has the call, until it is wanted in the other one.
    await agent.waitForId('complete');
    await (await waitForTestId(tab, 'call-here')).click();
    await waitForTestId(tab, 'complete');
    await agent.waitForId('call-elsewhere');
    expect(await agent.find('complete').count()).toBe(0);
    for (const page of [agent.page, tab]) await until(async () => (await page.title()) === TITLE);
    expect(Math.min(...(await notesOfTabs()))).toBe(0);
  });

  it('is declined with a reason, and its keys do nothing while it is typed', async () => {
    const { company, agent } = await offeringCompany();
    const callId = await offered(company, agent);
    const check = new BarrierCheck();
    await check.look(agent.page, 'offer');
    await agent.click('offer-decline-because');
    await agent.page.keyboard.type('bad day');
    await agent.page.keyboard.press('Enter');
    await agent.waitUntilGone('offer');
    expect((await offersOf(callId))[0]).toEqual({ status: 'declined', reason: 'bad day' });
    await agent.page.keyboard.press('?');
    await agent.waitForId('shortcuts');
    await check.look(agent.page, 'shortcuts');
    expect(check.found).toEqual([]);
  });

  it('pauses the agent when it expires, and a click makes the agent available again', async () => {
    const { company, agent } = await offeringCompany({ offer_timeout: 5 });
    const callId = await offered(company, agent);
    await agent.waitForId('missed-offer');
    expect(await agent.find('offer').count()).toBe(0);
    expect(await offersOf(callId)).toMatchObject([{ status: 'expired' }]);
    await agent.click('available-again');
    await agent.waitUntilGone('missed-offer');
    await agent.waitForId('offer');
  });

  it('disappears with the reason when a colleague takes the call', async () => {
    const { company, agent } = await offeringCompany();
    const callId = await offered(company, agent);
    const { api } = await company.tenant.member('attendant', [company.department.id]);
    expect((await api.post(`/api/v1/calls/${callId}/assign`)).status).toBe(200);
    await agent.page.getByRole('alert').filter({ hasText: 'another agent has taken it' }).waitFor();
    expect(await agent.find('offer').count()).toBe(0);
  });
});

it('two agents answer the same customer: the second one reads that the first was faster', async () => {
  const company = await createCompany({ agents: 2 });
  const { call_id } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  const [winner, loser] = await Promise.all(company.agents.map((member) => scene.agent(company, { member })));
  if (!winner || !loser) throw new Error('The company has two agents');
  await winner.find('queue-row').waitFor();
  await loser.page.route('**/assign', async (route) => {
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

it('the queue has no barriers', async () => {
  const company = await createCompany();
  const agent = await scene.agent(company);
  const check = new BarrierCheck();
  await check.look(agent.page, 'queue, empty');
  const { tenant, department } = company;
  await tenant.join(await tenant.link(department.id, { priority: 3 }), { name: 'Clara Customer' });
  await agent.find('queue-row').filter({ hasText: 'Priority 3' }).waitFor();
  await check.look(agent.page, 'queue, priorities');
  expect(check.found).toEqual([]);
});
