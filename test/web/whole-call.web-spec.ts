import { waitForSound } from './support/browser/sound';
import { callScene } from './support/call-scene';
import { createCompany } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { until } from '../support/until';

const scene = callScene();

describe('a call', () => {
  it('leads from the link to the rating, with moving pictures and sound in both directions', async () => {
    const company = await createCompany();
    const { owner } = company.tenant;
    const [agent, customer] = await Promise.all([scene.agent(company), scene.waiting(company)]);
    expect(await (await customer.waitForId('queue-position')).textContent()).toMatch(/1/);
    await customer.waitForId('queue-wait');

    await agent.answer();
    const [seenByAgent, seenByCustomer] = await Promise.all([
      agent.waitForPicture(),
      customer.waitForPicture(),
    ]);
    for (const { width, height } of [seenByAgent, seenByCustomer]) {
      expect({ isLargeEnough: width >= 160 && height >= 90 }).toEqual({ isLargeEnough: true });
    }
    await Promise.all([waitForSound(agent.page), waitForSound(customer.page)]);
    const { body } = await owner.api.get('/api/v1/calls');
    expect(body.data).toMatchObject([{ status: 'active', customer_name: 'Clara Customer' }]);

    await agent.complete();
    await customer.waitFor('rating');
    await customer.click('rating-4');
    await customer.find('rating-comment').fill('Friendly & <b>quick</b>');
    await customer.click('rating-submit');
    await customer.waitForId('rating-thanks');

    const details = await owner.api.get(`/api/v1/calls/${body.data[0].id}`);
    expect(details.body.data).toMatchObject({
      status: 'completed',
      end_reason: 'normal',
      rating: 4,
      rating_comment: 'Friendly & <b>quick</b>',
    });
    // The device forgets the call once it has been rated.
    expect(await customer.page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('ends for both sides when the customer hangs up', async () => {
    const { agent, customer, company } = await scene.connected();
    await customer.hangUp();
    await agent.waitUntilGone('complete');
    const { body } = await company.tenant.owner.api.get('/api/v1/calls');
    expect(body.data).toMatchObject([{ status: 'completed' }]);
  });

  it('lets a customer mute the microphone and turn the camera off and on', async () => {
    const { agent, customer } = await scene.connected();
    await customer.click('toggle-camera');
    await agent.waitUntilFrozen();
    await customer.click('toggle-camera');
    await agent.waitForPicture();
    expect(await soundTracksSent(customer)).toEqual([true]);
    await customer.click('toggle-microphone');
    await until(async () => (await soundTracksSent(customer)).every((isSent) => !isSent));
    await customer.click('toggle-microphone');
    await until(async () => (await soundTracksSent(customer)).some(Boolean));
  });
});

/** Whether each audio track that the page sends is enabled. */
function soundTracksSent({ page }: CustomerPage): Promise<boolean[]> {
  return page.evaluate(() =>
    (window.peerConnections ?? [])
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((connection) => connection.getSenders())
      .flatMap(({ track }) => (track?.kind === 'audio' ? [track.enabled] : [])),
  );
}
