import { callScene, waitForPictures } from './support/call-scene';
import { browserInNamespace } from './support/network/browser-in-namespace';
import { waitForSound } from './support/browser/sound';

const scene = callScene();
/** The page changes what it sends in steps of some seconds, and the pauses of a busy machine delay each of them. */
const ADAPTATION_MS = 150_000;
const customers = browserInNamespace();

describe('a call over a weak network', () => {
  customers.it('goes on with sound alone, and the picture comes back by itself', async () => {
    const { agent, customer } = await scene.connected(undefined, { browser: customers.browser });
    await customers.network.cut('third-of-udp');
    const notice = customer.page.getByText(/only sound is sent for now/i);
    await notice.waitFor({ timeout: ADAPTATION_MS });
    await agent.waitUntilFrozen();
    await Promise.all([waitForSound(agent.page), waitForSound(customer.page)]);
    expect(await (await customer.waitForId('quality')).getAttribute('data-level')).toBe('poor');

    await customers.network.heal();
    await notice.waitFor({ state: 'hidden', timeout: ADAPTATION_MS });
    await waitForPictures(agent, customer);
  });
});
