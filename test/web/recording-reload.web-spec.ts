import { until } from '../support/until';
import { callScene } from './support/call-scene';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();

/** Chunks of each part of a recording that the agent's page has on disk, oldest part first. */
const chunkCounts = ({ page }: AgentPage): Promise<number[]> => {
  const counts = page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('recordings').catch(() => null);
    const parts: [string, number][] = [];
    for await (const [name, part] of folder?.entries() ?? []) {
      let count = 0;
      for await (const chunk of (part as FileSystemDirectoryHandle).values()) {
        // A file that is still being written is empty.
        if ((await (chunk as FileSystemFileHandle).getFile()).size > 0) count++;
      }
      parts.push([name, count]);
    }
    return parts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
  });
  // A file or a part was renamed or removed meanwhile: the caller asks again.
  return counts.catch(() => [0]);
};

/** Waits until the agent's page records and its part has this many chunks of two seconds. */
async function untilRecorded(agent: AgentPage, chunks: number): Promise<void> {
  await agent.page.locator('[data-testid=record][data-recording=true]').waitFor();
  await until(async () => ((await chunkCounts(agent)).at(-1) ?? 0) >= chunks);
}

describe('a recording', () => {
  it('goes on when the agent reloads the page, also while it is uploaded, and is one recording in the end', async () => {
    const { agent, customer, company } = await scene.connected();
    await agent.click('record');
    await customer.click('recording-consent');
    // Long enough for a second of sound on a busy machine, too.
    await untilRecorded(agent, 4);

    await agent.reload();
    await agent.waitForPicture();
    // The first part is uploaded meanwhile.
    await until(async () => (await recordings())[0]?.duration > 0);
    const [first] = await recordings();
    await untilRecorded(agent, 3);
    expect(await customer.find('recording-notice').count()).toBe(1);

    const requests: string[] = [];
    agent.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes('/recording/tus')) requests.push(`${request.method()} ${pathname}`);
    });
    // The first part of the content does not arrive before the reload.
    let wasHeld = false;
    await agent.page.route('**/recording/tus/*', (route) => {
      if (wasHeld || route.request().method() !== 'PATCH') return route.fallback();
      wasHeld = true;
      return undefined;
    });
    await agent.complete();
    await until(() => requests.some((request) => request.startsWith('PATCH')));
    const held = [...requests];
    await agent.reload();
    await until(async () => {
      const [last] = await recordings();
      return last.id !== first.id && last.duration !== null;
    });
    const [joined, ...others] = await recordings();
    expect(others).toEqual([]);
    // A part is shorter than its chunks: sound comes a moment after the start, on a busy machine seconds.
    expect(first.duration).toBeGreaterThanOrEqual(1);
    expect(joined.duration).toBeGreaterThan(first.duration);
    await until(async () => (await chunkCounts(agent)).length === 0);
    const address = held[1]?.replace('PATCH ', '');
    expect(held.map((request) => request.split(' ')[0])).toEqual(['POST', 'PATCH']);
    expect(requests.slice(held.length)).toEqual([`HEAD ${address}`, `PATCH ${address}`]);

    async function recordings() {
      const { api } = company.tenant.owner;
      const [call] = (await api.get('/api/v1/calls')).body.data;
      return (await api.get(`/api/v1/calls/${call.id}/recordings`)).body.data;
    }
  });

  it('begins when the customer agrees after a reload, and is switched off when the page stopped it while it had no connection', async () => {
    const { agent, customer } = await scene.connected();
    await agent.click('record');
    await customer.waitForId('recording-consent');
    await agent.reload();
    await agent.find('recording-status').filter({ hasText: /./ }).waitFor();
    await customer.click('recording-consent');
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
