import { sharedServers } from './support/shared-servers';
import { callScene } from './support/call-scene';
import type { AgentPage } from './support/pages/agent-page';

const log = (...a: unknown[]) => require('node:fs').appendFileSync('/tmp/reclog', new Date().toISOString() + a.join(' ') + '\n');
const scene = callScene();

/** Waits until a MediaRecorder of the agent's page has stored a chunk of at least this part. */
const partCount = ({ page }: AgentPage) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('recordings').catch(() => null);
    let count = 0;
    if (folder) for await (const _ of folder.keys()) count++;
    return count;
  });
describe('a recording', () => {
  it('x', async () => {
    const { agent, customer, company } = await scene.connected();
    agent.page.on('console', (m) => log('AGENT', m.text()));
    agent.page.on('pageerror', (m) => log('AGENT', m));
    agent.page.on('response', (m) => /tus|worker/.test(m.url()) && log(m.request().method(), m.url(), m.status()));
    await agent.click('record');
    await customer.click('recording-agree');
    await customer.waitForId('recording-notice');
    await new Promise((r) => setTimeout(r, 5000));
    log(await partCount(agent));
    await agent.reload();
    await agent.page.locator('[data-testid=record][data-recording=true]').waitFor({ timeout: 10000 });
    await customer.waitForId('recording-notice');
    await new Promise((r) => setTimeout(r, 5000));
    log(await partCount(agent));
    await agent.complete();
    await new Promise((r) => setTimeout(r, 5000));
    log(await partCount(agent));
    const { api } = company.tenant.owner;
    const calls = await api.get('/api/v1/calls');
    const id = calls.body.data[0].id;
    log(JSON.stringify((await api.get(`/api/v1/calls/${id}/recordings`)).body, null, 1));
    const { key } = { key: 1 };
    const fs = require('node:fs');
    for (const r of (await api.get(`/api/v1/calls/${id}/recordings`)).body.data) {
const f = { body: Buffer.from(await (await fetch(new URL(r.url, sharedServers().url), { headers: { authorization: `Bearer ${company.tenant.owner.token}` } })).arrayBuffer()) };
      fs.writeFileSync(`/tmp/rec-${r.inserted_at}.webm`, f.body);
    }
  });
});
