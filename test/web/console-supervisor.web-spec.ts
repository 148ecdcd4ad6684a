import type { Member } from '../support/builders';
import { createSkill } from '../support/contexts/skills';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import { byTestId } from './support/pages/test-id';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const sockets = closingSockets(() => sharedServers().url);
const check = new BarrierCheck();

beforeEach(() => check.reset());

/** A company with an agent who is connected, and a supervisor. */
async function supervisedCompany(department: Record<string, unknown> = {}) {
  const company = await createCompany(department);
  const supervisor = await company.tenant.member('supervisor', [company.department.id]);
  const [agent] = company.agents;
  if (!agent) throw new Error('There is no agent');
  const socket = await sockets.connect(agent.token);
  return { company, supervisor, agent, socket };
}

/** Lets a customer join, be offered to the agent, talk to them and end. @param during the conversation */
async function completedCall(
  { tenant, link }: Company,
  agent: Member,
  name: string,
  during?: (callId: string) => Promise<unknown>,
): Promise<void> {
  await tenant.join(link, { name });
  const offer = await until(
    async () => (await agent.api.get('/api/v1/offers')).body.data[0],
    () => 'no offer',
  );
  await agent.api.post(`/api/v1/offers/${offer.id}/accept`);
  await during?.(offer.call_id);
  await agent.api.post(`/api/v1/calls/${offer.call_id}/complete`);
}

it('a supervisor finds a call, reads what happened to it and adds a note', async () => {
  const { company, supervisor, agent, socket } = await supervisedCompany({ routing: 'automatic' });
  await company.tenant.owner.api.post('/api/v1/tags', { name: 'Complaint', color: '#dc2626' });
  await completedCall(company, agent, 'Clara Customer', (call_id) =>
    socket.send('quality_report', { call_id, rtt_ms: 80, loss: 0.03, bitrate: 900_000 }),
  );
  await completedCall(company, agent, 'Otto Other');
  const desk = await scene.agent(company, { member: supervisor });
  const { page } = desk;
  await desk.click('nav-calls');
  await desk.waitForId('filter-search');
  await page.getByText('Otto Other').waitFor();
  await check.look(page, 'calls');
  await desk.find('filter-search').fill('clara');
  await desk.find('filter-status').selectOption('completed');
  await page.getByText('Otto Other').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('search')).toBe('clara');
  await desk.click('save-view');
  await desk.find('view-name').fill('Completed calls of Clara');
  await desk.click('save');
  await desk.waitForId('saved-view');
  await page.getByRole('link', { name: 'Clara Customer' }).click();

  const entry = (type: string) => page.locator(`[data-testid="timeline-entry"][data-type="${type}"]`);
  await entry('completed').waitFor();
  expect(await entry('offered').textContent()).toContain(`The call was offered to ${agent.name}.`);
  expect(await entry('completed').textContent()).toContain('The call ended regularly.');
  const quality = desk.find('call-facts').getByRole('row', { name: 'Connection of the agent' });
  await quality
    .getByText('fair (delay 80 ms, 3% of packets lost, at worst 3%, at least 900 kbit/s)')
    .waitFor();

  await desk.click('tag-add');
  await page.getByRole('option', { name: 'Complaint' }).click();
  await desk.find('call-tag').filter({ hasText: 'Complaint' }).waitFor();

  await desk.click('manager-note-add');
  const field = desk.find('manager-note-text');
  await until(
    async () => (await field.getAttribute('aria-invalid')) === 'true',
    () => 'the empty note was not refused at its field',
  );
  await field.fill('Called back, all is well');
  await desk.click('manager-note-add');
  const note = await desk.waitForId('manager-note');
  expect(await note.textContent()).toContain('Called back, all is well');
  expect(await note.textContent()).toContain(supervisor.name);
  await check.look(page, 'call');
  expect(check.found).toEqual([]);
});

it('the wall shows who waits, and changes the state of an agent', async () => {
  const { company, supervisor, agent } = await supervisedCompany();
  const desk = await scene.agent(company, { member: supervisor });
  const { page } = desk;
  await desk.click('nav-wall');
  await desk.waitForId('wall-line');
  await company.tenant.join(company.link, { name: 'Clara Customer' });
  await byTestId(page, 'wall-waiting').filter({ hasText: 'Clara Customer' }).waitFor();
  expect(await byTestId(page, 'line-size').textContent()).toBe('1');

  const row = (state: string) =>
    page.locator(`[data-testid="wall-agent"][data-state="${state}"]`).filter({ hasText: agent.name });
  await byTestId(row('available'), 'agent-menu').click();
  await desk.click('make-paused');
  await row('paused').waitFor();
  await desk.waitUntilGone('make-paused');
  const path = `/api/v1/departments/${company.department.id}`;
  await company.tenant.owner.api.put(path, { opening_hours: { weekly: {} } });
  await byTestId(page, 'line-closed').filter({ hasText: 'Closed' }).waitFor();
  await check.look(page, 'wall');
  expect(check.found).toEqual([]);
});

it('a supervisor reads why nobody gets a call, and offers it to an agent of another department', async () => {
  const { company, supervisor } = await supervisedCompany({ routing: 'automatic' });
  const member = await company.tenant.member('attendant');
  const helper = await scene.agent(company, { member });
  const desk = await scene.agent(company, { member: supervisor });
  const [agent] = company.agents;
  await agent?.api.put(`/api/v1/users/${agent.id}/state`, { state: 'paused' });
  const { call_id } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  await desk.page.goto(`${sharedServers().url}/console/calls/${call_id}`);
  await desk
    .find('routing-reason')
    .filter({ hasText: 'No member who could take it is available.' })
    .waitFor();
  await desk.click('give-to-agent');
  await desk.find('agent-choice').selectOption(member.id);
  await desk.click('save');
  await helper.find('offer').filter({ hasText: 'A supervisor offers you a call' }).waitFor();
  await helper.click('offer-decline');
  const declined = desk.page.locator('[data-testid="timeline-entry"][data-type="declined"]');
  // Offers are no news of the call: the page asks for them.
  await declined.filter({ hasText: member.name }).waitFor();
});

it('the details of a call and the queue both name the skills that it needs, which a supervisor changes, and its devices', async () => {
  const { company, supervisor } = await supervisedCompany();
  const skill_id = await createSkill(company.tenant, 'French');
  const { call_id, websocket_token } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  const desk = await scene.agent(company, { member: supervisor });
  await desk.find('queue-row').waitFor();
  const customer = await sockets.connect(websocket_token);
  const report = { camera: 'missing', microphone: 'ok', network: 'fair', relay: true };
  expect(await customer.send('device_report', report)).toMatchObject({ ok: true });
  const icons = (await desk.waitForId('device-report')).getByRole('img');
  const words = await icons.evaluateAll((found) => found.map((icon) => icon.getAttribute('aria-label')));
  expect(words).toEqual(['No camera', 'Microphone works', 'Network fair', 'Relay reachable']);
  const skills = [{ skill_id, min_level: 2 }];
  await company.tenant.owner.api.put(`/api/v1/calls/${call_id}`, { skills });
  const row = desk.find('queue-row').filter({ hasText: 'French' });
  await row.waitFor();
  await desk.click('nav-calls');
  await desk.page.getByRole('link', { name: 'Clara Customer' }).click();
  await desk.page.getByText('French').waitFor();
  expect(await (await desk.waitForId('call-facts')).textContent()).toContain(
    'No camera, Microphone works, Fair network, Relay reachable',
  );
  const entry = desk.page.locator('[data-testid="timeline-entry"][data-type="device_report"]');
  await entry.filter({ hasText: 'no camera, microphone works, fair network.' }).waitFor();
  await desk.click('change-demands');
  await desk.find('call-priority').fill('');
  await desk.click('save');
  await desk.page.getByText('Enter a number from 0 to 9.').waitFor();
  await desk.find('call-priority').fill('7');
  await desk.page.getByLabel('Lowest level of skill 1').fill('4');
  await check.look(desk.page, 'priority and skills of a call');
  await desk.click('save');
  await desk.page.getByText('French, level 4').waitFor();
  await desk.click('nav-queue');
  await row.filter({ hasText: 'Priority 7' }).waitFor();
  expect(check.found).toEqual([]);
});
