import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Route } from 'playwright-core';
import type { Json } from '../support/http/api';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import type { AgentPage } from './support/pages/agent-page';

const scene = callScene();
const check = new BarrierCheck();

type TextFile = ReturnType<typeof textFile>;

const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('A dent') });

/** Chooses files in the panel of the call's files. */
const choose = ({ page }: AgentPage, files: string | TextFile | TextFile[]) =>
  page.getByTestId('file-input').setInputFiles(files);

/** @returns the names of all files of the agent's call, sorted */
async function storedNames({ member: { api } }: AgentPage): Promise<string[]> {
  const { body: calls } = await api.get('/api/v1/calls');
  const { body } = await api.get(`/api/v1/calls/${calls.data[0].id}/files?page_size=100`);
  return body.data.map(({ filename }: Json) => filename).toSorted();
}

/**
 * From `begin` on, the network changes: the first answer to an upload is lost, and the second upload does not arrive. Until then,
 * they wait.
 */
async function disturbUploads({ page }: AgentPage, begin: Promise<void>): Promise<void> {
  let sent = 0;
  await page.route('**/upload', async (route) => {
    const turn = sent++;
    await begin;
    if (turn > 1) return route.continue();
    // Node does not know the browser's name of this host.
    if (turn === 0) await route.fetch({ url: onLoopback(route.request().url()) });
    return route.abort('internetdisconnected');
  });
}

function onLoopback(url: string): string {
  const loopback = new URL(url);
  loopback.hostname = '127.0.0.1';
  return loopback.href;
}

describe('the files of a call', () => {
  it('are each uploaded once, listed and downloaded, although the network changes and another panel is shown', async () => {
    const { agent } = await scene.connected();
    const { page } = agent;
    await agent.click('tab-files');
    await choose(agent, textFile('damage.txt'));
    const file = agent.find('call-file').filter({ hasText: 'damage.txt' });
    await file.waitFor();
    const { promise: isHidden, resolve: hide } = Promise.withResolvers<void>();
    await disturbUploads(agent, isHidden);
    // One more than the list has on its first page when no size is asked for.
    const more = Array.from({ length: 20 }, (_, n) => textFile(`page ${n}.txt`));
    await choose(agent, more);
    await agent.find('upload').first().waitFor();
    await agent.click('tab-chat');
    await page.locator('[data-testid=tab-chat][aria-selected=true]').waitFor();
    hide();
    await until(async () => (await storedNames(agent)).length > more.length);
    await agent.click('tab-files');
    let rows: string[] = [];
    await until(
      async () => {
        rows = await page.locator('.call-files > li').allInnerTexts();
        const isSent = (await agent.find('upload').count()) === 0;
        return isSent && (await agent.find('call-file').count()) === more.length + 1;
      },
      () => `not all files are listed: ${rows.join(' | ')}`,
    );
    expect(await storedNames(agent)).toEqual(['damage.txt', ...more.map(({ name }) => name)].toSorted());
    await page.unroute('**/upload');
    const [download] = await Promise.all([page.waitForEvent('download'), file.getByRole('button').click()]);
    expect(download.suggestedFilename()).toBe('damage.txt');
    await check.look(page, 'files of a call');
    expect(check.found).toEqual([]);
  });

  it('that cannot be uploaded are shown with the reason, also after the call', async () => {
    const { agent } = await scene.connected();
    const { page } = agent;
    await agent.click('tab-files');
    const path = join(mkdtempSync(join(tmpdir(), 'upload-')), 'gone.txt');
    writeFileSync(path, 'A dent');
    await page.route('**/upload', (route) => {
      rmSync(dirname(path), { recursive: true, force: true });
      return route.abort();
    });
    await choose(agent, path);
    const gone = agent.find('upload').filter({ hasText: 'This file was changed, moved or deleted.' });
    await gone.getByRole('button', { name: 'Cancel the upload of gone.txt' }).click();
    await agent.waitUntilGone('upload');
    await page.unroute('**/upload');

    const held: Route[] = [];
    await page.route('**/upload', (route) => void held.push(route));
    await choose(agent, textFile('late.txt'));
    await agent.find('upload').waitFor();
    await agent.complete();
    // The ended call shows its uploads itself; without it, the notification does.
    await agent.click('call-close');
    await until(() => held.length === 1);
    await held[0]?.abort();
    await until(() => held.length === 2);
    const errors = { code: 'payload_too_large', detail: 'The file is larger than 25 MiB.' };
    await held[1]?.fulfill({ status: 413, json: { errors } });
    await page.getByText('late.txt was not uploaded. This file is too large.').waitFor();
  });
});
