import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus, type Member } from '../support/builders';
import { createSkill } from '../support/contexts/skills';
import { upload } from '../support/http/multipart';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany, webTest } from './support/company';
import { OwnService } from './support/own-service';
import { sharedServers } from './support/shared-servers';
import { completedCall, supervisedCompany } from './support/supervised-company';
import type { AgentPage } from './support/pages/agent-page';
import { loadPage } from './support/pages/load-page';
import { PATIENCE_MS } from './support/pages/test-id';

const scene = callScene();
const { connect } = closingSockets(() => webTest().url);
const check = new BarrierCheck();

beforeEach(() => check.reset());

const RECORDING = readFileSync(join(__dirname, '../fixtures/call.webm'));

/** Uploads a recording of a second as the agent's browser does. */
async function uploadRecording(callId: string, { token }: Member, test = webTest()): Promise<void> {
  const path = `/api/v1/calls/${callId}/recording/upload`;
  expectStatus(await upload(test, path, [['file', RECORDING, 'call.webm']], { token }), 201);
}

it('a supervisor finds a call again by a saved view, plays its recording, reads what happened and adds a note', async () => {
  const { company, supervisor, agent, socket } = await supervisedCompany(connect, {
    agents: 2,
    routing: 'automatic',
  });
  const [, second] = company.agents;
  if (!second) throw new Error('There is no second agent');
  await connect(second.token);
  await company.tenant.owner.api.post('/api/v1/tags', { name: 'Complaint', color: '#dc2626' });
  await completedCall(company, agent, 'Clara Customer', async (call_id) => {
    await socket.send('quality_report', { call_id, rtt_ms: 80, loss: 0.03, bitrate: 900_000 });
    await uploadRecording(call_id, agent);
  });
  await second.api.put(`/api/v1/users/${second.id}/state`, { state: 'paused' });
  await completedCall(company, agent, 'Otto Other');
  const desk = await scene.agent(company, { member: supervisor });
  const { page } = desk;
  const other = page.getByText('Otto Other');
  await desk.click('nav-calls');
  await desk.waitForId('filter-search');
  await other.waitFor();
  await check.look(page, 'calls');
  await desk.find('filter-search').fill('clara');
  await desk.find('filter-status').selectOption('completed');
  await other.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('search')).toBe('clara');
  await desk.click('save-view');
  await desk.click('save');
  await desk.waitUntilRefused('view-name');
  await desk.find('view-name').fill('Completed calls of Clara');
  await desk.click('save');
  await desk.waitForId('saved-view');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await other.waitFor();
  await desk.click('saved-view');
  await other.waitFor({ state: 'detached' });
  expect(await desk.find('filter-search').inputValue()).toBe('clara');
  expect(await desk.find('filter-status').inputValue()).toBe('completed');
  await page.getByRole('link', { name: 'Clara Customer' }).click();

  const entry = (type: string) => page.locator(`[data-testid="timeline-entry"][data-type="${type}"]`);
  await entry('completed').waitFor();
  expect(await entry('offered').textContent()).toContain(`The call was offered to ${agent.name}.`);
  expect(await entry('completed').textContent()).toContain('The call ended regularly.');
  await entry('offered').getByText('Why this agent?').click();
  await entry('offered').getByText('2 agents could take the call then.').waitFor();
  const candidates = await entry('offered').getByRole('listitem').allTextContents();
  expect(candidates).toEqual(
    [agent, second].map(({ name }) => expect.stringMatching(`^${name} · without a call for 0:`)),
  );
  const quality = desk.find('call-facts').getByRole('row', { name: 'Connection of the agent' });
  await quality
    .getByText('fair (delay 80 ms, 3% of packets lost, at worst 3%, at least 900 kbit/s)')
    .waitFor();

  const panel = desk.find('recording-panel');
  const transcript = panel.getByRole('region', { name: 'Transcript' });
  await transcript.waitFor();
  expect(await transcript.locator('p').allTextContents()).toEqual([
    'Speaker A: Good morning. How can I help?',
    'Speaker B: My invoice is wrong.',
  ]);
  await panel.getByText('The customer complains of an invoice.').waitFor();
  await desk.click('play-recording');
  const player = await desk.waitForId('recording-player');
  // The page plays it as soon as it is there, if the browser lets it; a click would then pause it.
  await until(() =>
    player.evaluate((video: HTMLVideoElement) => video.readyState >= video.HAVE_CURRENT_DATA),
  );
  const isPlayed = () =>
    player.evaluate((video: HTMLVideoElement) => video.currentTime > 0 && video.videoWidth > 0);
  if (await player.evaluate((video: HTMLVideoElement) => video.paused)) await player.click();
  await until(isPlayed);
  const downloading = page.waitForEvent('download', { timeout: PATIENCE_MS });
  await desk.click('download-recording');
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^recording-\d{4}-\d\d-\d\d\.webm$/);
  expect(readFileSync(await file.path())).toEqual(RECORDING);
  const [left, right] = [await player.boundingBox(), await transcript.boundingBox()];
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));

  await desk.click('tag-add');
  await page.getByRole('option', { name: 'Complaint' }).click();
  await desk.find('call-tag').filter({ hasText: 'Complaint' }).waitFor();

  await desk.click('manager-note-add');
  await desk.waitUntilRefused('manager-note-text');
  await desk.find('manager-note-text').fill('Called back, all is well');
  await desk.click('manager-note-add');
  const note = await desk.waitForId('manager-note');
  expect(await note.textContent()).toContain('Called back, all is well');
  expect(await note.textContent()).toContain(supervisor.name);
  await check.look(page, 'call');
  expect(check.found).toEqual([]);
});

it('a supervisor reads why nobody gets a call, and offers it to an agent of another department', async () => {
  const { company, supervisor } = await supervisedCompany(connect, { routing: 'automatic' });
  const member = await company.tenant.member('attendant');
  const helper = await scene.agent(company, { member });
  const desk = await scene.agent(company, { member: supervisor });
  const [agent] = company.agents;
  for (const { id, api } of [agent, supervisor])
    expectStatus(await api.put(`/api/v1/users/${id}/state`, { state: 'paused' }), 200);
  const { call_id } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  const { page } = desk;
  await loadPage(page, () => page.goto(`${sharedServers().url}/console/calls/${call_id}`));
  await desk
    .find('routing-reason')
    .filter({ hasText: 'No member who could take it is available.' })
    .waitFor();
  const facts = desk.find('call-facts');
  await facts.filter({ hasText: 'The page showed the customer no estimate when joining' }).waitFor();
  await desk.click('give-to-agent');
  await desk.click('save');
  await desk.waitUntilRefused('agent-choice');
  await desk.find('agent-choice').selectOption(member.id);
  await desk.click('save');
  await helper.find('offer').filter({ hasText: 'A supervisor offers you a call' }).waitFor();
  await helper.pressKey('d');
  const declined = desk.page.locator('[data-testid="timeline-entry"][data-type="declined"]');
  // Offers are no news of the call: the page asks for them.
  await declined.filter({ hasText: member.name }).waitFor();
});

it('a supervisor reads the chat of a call while it runs and after it', async () => {
  const { company, supervisor, agent, socket } = await supervisedCompany(connect);
  const { call_id, websocket_token } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  const customer = await connect(websocket_token);
  await customer.send('chat_message', { call_id, text: 'My invoice is wrong.' });
  const desk = await scene.agent(company, { member: supervisor });
  await loadPage(desk.page, () => desk.page.goto(`${sharedServers().url}/console/calls/${call_id}`));
  const messages = (await desk.waitForId('call-chat')).getByRole('listitem');
  await messages.getByText('My invoice is wrong.').waitFor();
  await socket.send('chat_message', { call_id, text: 'I see: https://example.com/invoice' });
  await messages.nth(1).waitFor();

  const written = [
    expect.stringMatching(/^Clara Customer.*My invoice is wrong\.$/),
    expect.stringMatching(`^${agent.name}.*I see: https://example\\.com/invoice$`),
  ];
  expect(await messages.allTextContents()).toEqual(written);
  await check.look(desk.page, 'chat of a call');
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  await desk.find('call-facts').filter({ hasText: 'Completed' }).waitFor();
  expect(await messages.allTextContents()).toEqual(written);
  await desk.reload();
  await messages.nth(1).waitFor();
  expect(await messages.allTextContents()).toEqual(written);
  const link = messages.getByRole('link', { name: 'https://example.com/invoice' });
  expect(await link.getAttribute('href')).toBe('https://example.com/invoice');
  expect(check.found).toEqual([]);
});

/** A call with a recording without a transcript, in the details of a supervisor. */
async function deskWithoutTranscript(test = webTest(), url = sharedServers().url): Promise<AgentPage> {
  const company = await createCompany({}, test);
  const [agent] = company.agents as [Member];
  const { call_id } = await company.tenant.join(company.link);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/start`), 200);
  await uploadRecording(call_id, agent, test);
  expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/complete`), 200);
  const pending = `SELECT FROM transcripts WHERE tenant_id = $1 AND status = 'pending'`;
  await until(async () => (await test.db.query(pending, [company.tenant.id])).rows.length === 0);
  await test.db.query('DELETE FROM summaries WHERE tenant_id = $1', [company.tenant.id]);
  await test.db.query('DELETE FROM transcripts WHERE tenant_id = $1', [company.tenant.id]);
  for (const name of ['transcript', 'summary'])
    scene.pages.expectRefusal({ status: 404, path: `/api/v1/calls/${call_id}/${name}` });
  const desk = await scene.agent(company, { member: await company.tenant.member('supervisor'), url });
  await loadPage(desk.page, () => desk.page.goto(`${url}/console/calls/${call_id}`));
  await desk.find('recording-panel').getByText('There is no transcript').waitFor();
  return desk;
}

it('a missing transcript can be requested where the service writes transcripts', async () => {
  const { page } = await deskWithoutTranscript();
  const retry = page.getByRole('button', { name: 'Request it again' });
  // Of the summary and of the transcript.
  expect(await retry.count()).toBe(2);
  await retry.last().click();
  await page.getByText('It was requested and will appear here.').waitFor();
  await page.getByRole('region', { name: 'Transcript' }).getByText('My invoice is wrong.').waitFor();
});

it('a missing transcript cannot be requested where the service writes none', async () => {
  const service = await OwnService.start();
  try {
    const { page } = await deskWithoutTranscript(service.test, service.url);
    expect(await page.getByRole('button', { name: 'Request it again' }).count()).toBe(0);
  } finally {
    await service.stop();
  }
});

it('all lists say that a call was dropped, and not that it was completed', async () => {
  const company = await createCompany();
  const [agent] = company.agents as [Member];
  const clara = { name: 'Clara Customer', email: 'clara@example.com' };
  for (const end_reason of ['normal', 'disconnect']) {
    const { call_id } = await company.tenant.join(company.link, clara);
    for (const act of ['start', 'complete'])
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/${act}`), 200);
    await webTest().db.query('UPDATE calls SET end_reason = $2 WHERE id = $1', [call_id, end_reason]);
  }
  const [customer] = (await agent.api.get('/api/v1/customers')).body.data;
  const desk = await scene.agent(company);
  const { page } = desk;
  const both = [/Connection lost/, /Completed/].map((text) => expect.stringMatching(text));

  await desk.click('nav-calls');
  await desk.find('call-status').nth(1).waitFor();
  expect(await desk.find('call-status').allTextContents()).toEqual(['Connection lost', 'Completed']);
  await loadPage(page, () => page.goto(`${sharedServers().url}/console/customers/${customer.id}`));
  const rows = page.locator('.body [role="row"]');
  await rows.nth(1).waitFor();
  expect(await rows.allTextContents()).toEqual(both);

  await company.tenant.join(company.link, clara);
  await desk.click('nav-queue');
  await desk.answer();
  await desk.click('customer-open');
  await desk.find('previous-call').nth(1).waitFor();
  expect(await desk.find('previous-call').allTextContents()).toEqual(both);
});

it('the details of a call and the queue both name the skills that it needs, which a supervisor changes, and its devices', async () => {
  const { company, supervisor } = await supervisedCompany(connect);
  const skill_id = await createSkill(company.tenant, 'French');
  const { call_id, websocket_token } = await company.tenant.join(company.link, { name: 'Clara Customer' });
  const desk = await scene.agent(company, { member: supervisor });
  await desk.find('queue-row').waitFor();
  const customer = await connect(websocket_token);
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
  await desk.find('call-facts').filter({ hasText: 'so far. The customer was told about ' }).waitFor();
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
  expectStatus(await company.tenant.owner.api.delete(`/api/v1/departments/${company.department.id}`), 204);
  await loadPage(desk.page, () => desk.page.goto(`${sharedServers().url}/console/calls/${call_id}`));
  await desk
    .find('call-facts')
    .filter({ hasText: 'The customer left, or the department was deleted' })
    .waitFor();
  expect(check.found).toEqual([]);
});
