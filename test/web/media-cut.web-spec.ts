import { waitForPath } from './support/browser/peer-connections';
import { callScene, waitForPictures } from './support/call-scene';
import { browserInNamespace } from './support/network/browser-in-namespace';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
const customers = browserInNamespace();

describe('media', () => {
  customers.it('that stop while the socket works are reported and come back', async () => {
    const { agent, customer } = await scene.connected(undefined, { browser: customers.browser });
    await customers.network.cut('media', sharedServers().turn.port);
    await Promise.all([customer.waitForId('reconnecting'), agent.waitForId('reconnecting')]);
    await customers.network.heal();
    await waitForPictures(agent, customer);
    await Promise.all([customer.waitUntilGone('reconnecting'), agent.waitUntilGone('reconnecting')]);
  });

  customers.it(
    'take the relay when there is no direct way, and survive that it stops for a moment',
    async () => {
      const { port, pid } = sharedServers().turn;
      await customers.network.cut('udp-except-relay', port);
      const { agent, customer } = await scene.connected(undefined, { browser: customers.browser });
      const path = await waitForPath(customer.page, ({ local }) => local === 'relay');
      expect(path.local).toBe('relay');

      process.kill(pid, 'SIGSTOP');
      try {
        await customer.waitForId('reconnecting');
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await waitForPictures(agent, customer);
      await customer.waitUntilGone('reconnecting');
      await waitForPath(customer.page, ({ local }) => local === 'relay');
    },
  );
});
