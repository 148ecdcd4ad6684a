import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();
const check = new BarrierCheck();

const callOf = async ({ member: { api } }: AgentPage) => {
  const { body } = await api.get('/api/v1/calls');
  return (await api.get(`/api/v1/calls/${body.data[0].id}`)).body.data;
};

const untilSaved = (agent: AgentPage) =>
  agent.page.locator('[data-testid=notes-status][data-status=saved]').waitFor();

describe("the agent's call", () => {
  it('saves notes while they are typed, keeps them when the service does not answer, and inserts prepared texts', async () => {
    const { agent } = await scene.connected();
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
    await agent.click('canned-edit');
    await agent.click('save');
    expect(await page.locator('[role=dialog] [aria-invalid=true]').count()).toBe(2);
    await agent.find('canned-title').fill('Sent');
    await agent.find('canned-text').fill('The card was sent.');
    await agent.click('save');
    await agent.waitUntilGone('save');
    await agent.click('canned-open');
    await agent.click('canned-note');
    await until(async () => (await callOf(agent)).notes === 'Wants a new card soon. The card was sent.');
  });

  it('shows the customer and their earlier calls, and takes tags and files', async () => {
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

    await agent.click('tab-files');
    await agent.page
      .getByTestId('file-input')
      .setInputFiles({ name: 'damage.txt', mimeType: 'text/plain', buffer: Buffer.from('A dent') });
    const file = agent.find('call-file').filter({ hasText: 'damage.txt' });
    await file.waitFor();
    const [download] = await Promise.all([
      agent.page.waitForEvent('download'),
      file.getByRole('button').click(),
    ]);
    expect(download.suggestedFilename()).toBe('damage.txt');
    await check.look(agent.page, 'files of a call');
    expect(check.found).toEqual([]);
  });

  it('obeys keys, asks before a key ends the call, and counts messages that were not read', async () => {
    const { agent, customer } = await scene.connected(await createCompany({ wrap_up_time: 300 }));
    const { keyboard } = agent.page;
    await keyboard.press('m');
    await agent.page.locator('[data-testid=toggle-microphone][data-on=false]').waitFor();
    await customer.say('Are you there?');
    await agent.find('chat-unread').filter({ hasText: '1' }).waitFor();
    await keyboard.press('c');
    await agent.waitUntilGone('chat-unread');
    await keyboard.type('me too');
    expect(await agent.find('chat-input').inputValue()).toBe('me too');
    await keyboard.press('Enter');
    await agent.find('chat-message').filter({ hasText: 'me too' }).waitFor();

    await agent.find('tab-chat').focus();
    await keyboard.press('e');
    await agent.click('complete-confirm');
    await customer.waitFor('rating');
    await agent.waitForId('after-call');
    await agent.find('notes').fill('Could not be heard.');
    await untilSaved(agent);
    expect(await callOf(agent)).toMatchObject({ status: 'completed', notes: 'Could not be heard.' });
  });
});
