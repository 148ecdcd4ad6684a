import { BarrierCheck } from './support/browser/barrier-check';
import { callScene, waitForPictures } from './support/call-scene';
import { until } from '../support/until';
import { webTest } from './support/company';
import { AgentPage } from './support/pages/agent-page';
import type { CustomerPage } from './support/pages/customer-page';
import { loadPage } from './support/pages/load-page';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const check = new BarrierCheck();

/** The seconds that the page says the call still waits for the agent. */
async function secondsLeft(customer: CustomerPage): Promise<number> {
  const notice = await (await customer.waitForId('peer-lost')).textContent();
  return Number(/(\d+) s/.exec(notice ?? '')?.[1]);
}

describe('a customer whose agent is lost', () => {
  it('sees how long the call waits, and talks on when the agent returns', async () => {
    const { agent, customer, company } = await scene.connected();
    // Its window stays open, so that the browser keeps the login.
    const tab = await scene.pages.openTab(agent.page.context(), 'agent again');
    await agent.page.close();
    const first = await secondsLeft(customer);
    expect(first).toBeLessThanOrEqual(10);
    await until(async () => (await secondsLeft(customer)) < first);
    // A whole console is loaded in what is left of the ten seconds.
    await webTest().db.query(
      `UPDATE calls SET agent_grace_deadline = agent_grace_deadline + interval '1 minute' WHERE tenant_id = $1`,
      [company.tenant.id],
    );
    await loadPage(tab, () => tab.goto(`${sharedServers().url}/console`));
    await waitForPictures(await AgentPage.of(tab, agent.member), customer);
    await customer.waitUntilGone('peer-lost');
  });

  it('learns that the call is over when the agent does not return', async () => {
    const { agent, customer } = await scene.connected();
    await agent.page.close();
    await customer.waitFor('rating');
    expect(await customer.page.locator('main').textContent()).toMatch(/connection was lost/i);
    await check.look(customer.page, 'rating, connection lost');
    expect(check.found).toEqual([]);
  });
});
