import { until } from '../support/until';
import { callScene } from './support/call-scene';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();

/** Chunks of recordings that the agent's page has on disk. */
const chunkCount = ({ page }: AgentPage) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('recordings').catch(() => null);
    let count = 0;
    for await (const part of folder?.values() ?? []) {
      for await (const name of (part as FileSystemDirectoryHandle).keys()) if (name) count++;
    }
    return count;
  });

/** Waits until the agent's page records and has this many chunks of two seconds on disk, besides the first, empty one. */
async function untilRecorded(agent: AgentPage, chunks: number): Promise<void> {
  await agent.page.locator('[data-testid=record][data-recording=true]').waitFor();
  await until(async () => (await chunkCount(agent)) > chunks);
}

describe('a recording', () => {
  it('goes on when the agent reloads the page, and is one recording in the end', async () => {
    const { agent, customer, company } = await scene.connected();
    await agent.click('record');
    await customer.click('recording-agree');
    await untilRecorded(agent, 2);

    await agent.reload();
    await agent.waitForPicture();
    // The first part is uploaded meanwhile.
    await until(async () => (await recordings()).length === 1);
    const [first] = await recordings();
    await untilRecorded(agent, 2);
    expect(await customer.find('recording-notice').count()).toBe(1);

    await agent.complete();
    await until(async () => (await recordings())[0]?.id !== first.id);
    const [joined, ...others] = await recordings();
    expect(others).toEqual([]);
    expect(first.duration).toBeGreaterThanOrEqual(3);
    expect(joined.duration).toBeGreaterThanOrEqual(first.duration + 3);
    await until(async () => (await chunkCount(agent)) === 0);

    async function recordings() {
      const { api } = company.tenant.owner;
      const [call] = (await api.get('/api/v1/calls')).body.data;
      return (await api.get(`/api/v1/calls/${call.id}/recordings`)).body.data;
    }
  });

  it('is switched off when the page stopped it while it had no connection', async () => {
    const { agent, customer } = await scene.connected();
    await agent.click('record');
    await customer.click('recording-agree');
    await untilRecorded(agent, 1);
    // As after a stop that the service did not hear of.
    await agent.page.evaluate(() => {
      const [call] = (localStorage.getItem('vcq-recording') ?? '').split(' ');
      localStorage.setItem('vcq-recording', `${call} stopped`);
    });
    await agent.reload();
    await customer.waitUntilGone('recording-notice');
    await agent.page.locator('[data-testid=record][data-recording=false]').waitFor();
  });
});
