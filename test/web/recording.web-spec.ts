import { until } from '../support/until';
import { callScene } from './support/call-scene';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();

/** Whether a MediaRecorder of the agent's page runs. */
const isRecording = ({ page }: AgentPage) =>
  page.evaluate(() => (window.mediaRecorders ?? []).some(({ state }) => state === 'recording'));

describe('a recording', () => {
  it('starts only after the customer agreed, and is visible while it runs, also after a reload', async () => {
    const { agent, customer } = await scene.connected();
    await agent.click('record');
    await customer.waitForId('recording-consent');
    expect(await isRecording(agent)).toBe(false);
    expect(await customer.find('recording-notice').count()).toBe(0);

    await customer.click('recording-agree');
    await customer.waitForId('recording-notice');
    await customer.waitUntilGone('recording-consent');
    await customer.reload();
    await customer.waitForId('recording-notice');
    await until(() => isRecording(agent));
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
