import { until } from '../support/until';
import { callScene } from './support/call-scene';
import type { Company } from './support/company';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();

/** Whether a MediaRecorder of the agent's page runs. */
const isRecording = ({ page }: AgentPage) =>
  page.evaluate(() => (window.mediaRecorders ?? []).some(({ state }) => state === 'recording'));

async function recordingsOf({ tenant }: Company) {
  const { api } = tenant.owner;
  const [call] = (await api.get('/api/v1/calls')).body.data;
  return (await api.get(`/api/v1/calls/${call.id}/recordings`)).body.data;
}

describe('a recording', () => {
  it('starts only after the customer agreed, and is visible while it runs, also after a reload, until the customer ends it', async () => {
    const { agent, customer, company } = await scene.connected();
    await agent.click('record');
    await customer.waitForId('recording-consent');
    expect(await isRecording(agent)).toBe(false);
    expect(await customer.find('recording-notice').count()).toBe(0);

    await customer.click('recording-consent');
    await customer.waitForId('recording-notice');
    await customer.waitUntilGone('recording-consent');
    await until(() => isRecording(agent));
    await customer.reload();
    await customer.waitForId('recording-notice');
    expect(await isRecording(agent)).toBe(true);

    await customer.focusByTab('recording-stop');
    await customer.page.keyboard.press('Enter');
    await customer.waitForId('recording-refused');
    expect(await customer.find('recording-refused').evaluate((text) => text === document.activeElement)).toBe(
      true,
    );
    await customer.waitUntilGone('recording-notice');
    await until(async () => !(await isRecording(agent)));
    // What was agreed until then is kept, and the call goes on.
    await until(async () => (await recordingsOf(company)).length === 1);
    await customer.waitForPicture();
    // What cannot be inspected in time gets its duration from a job.
    await until(async () => (await recordingsOf(company))[0].duration > 0);
  });

  it('does not start when the customer refuses, and the call goes on', async () => {
    const { agent, customer } = await scene.connected();
    await agent.click('record');
    await customer.waitForId('recording-consent');
    await customer.click('recording-refuse');
    await customer.waitUntilGone('recording-consent');
    await customer.waitForPicture();
    expect(await isRecording(agent)).toBe(false);
    expect(await customer.find('recording-notice').count()).toBe(0);
  });
});
