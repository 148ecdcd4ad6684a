import type { Page } from 'playwright-core';
import { playing, waitForSound } from './support/browser/sound';
import { callScene } from './support/call-scene';
import { createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';
import { until } from '../support/until';

const scene = callScene();

describe('a call', () => {
  it('leads from the link to the rating, with moving pictures and sound in both directions', async () => {
    const company = await createCompany();
    const { owner } = company.tenant;
    const ahead = await company.tenant.join(company.link);
    const page = await scene.customerPage();
    const customer = await CustomerPage.open(page, company.link);
    await customer.waitFor('form');
    expect(await hasCallCode(page)).toBe(false);
    await customer.join('Clara Customer', { email: 'clara@example.com', phone: '+55 11 91234-5678' });
    const place = await customer.waitForId('queue-position');
    expect(await place.textContent()).toBe('2');
    await customer.waitForId('queue-wait');
    // The code of the call is loaded while the customer waits.
    await until(() => hasCallCode(page));
    await webTest().api.as(ahead.websocket_token).post(`/api/v1/call/cancel/${ahead.call_id}`);
    await until(async () => (await place.textContent()) === '1');
    expect(await page.getByRole('status').allTextContents()).toContain('Place 1 in the line');
    await until(async () => (await page.title()).includes('Place 1 in the line'));

    const agent = await scene.agent(company);
    await agent.answer();
    const [seenByAgent, seenByCustomer] = await Promise.all([
      agent.waitForPicture(),
      customer.waitForPicture(),
      customer.waitForOwnPicture(),
    ]);
    for (const { width, height } of [seenByAgent, seenByCustomer]) {
      expect({ isLargeEnough: width >= 160 && height >= 90 }).toEqual({ isLargeEnough: true });
    }
    await Promise.all([waitForSound(agent.page), waitForSound(customer.page)]);
    const { body } = await owner.api.get('/api/v1/calls?status=active');
    expect(body.data).toMatchObject([{ customer_name: 'Clara Customer' }]);

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
      customer_email: 'clara@example.com',
      customer_phone: '+55 11 91234-5678',
    });
    // The device forgets the call once it has been rated.
    expect(await customer.page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('ends for both sides when the customer hangs up, who can have their data removed from the device', async () => {
    const { agent, customer, company } = await scene.connected();
    await customer.hangUp();
    await agent.waitUntilGone('complete');
    const { body } = await company.tenant.owner.api.get('/api/v1/calls');
    expect(body.data).toMatchObject([{ status: 'completed' }]);
    const kept = () => customer.page.evaluate(() => JSON.stringify([{ ...localStorage }, history.state]));
    expect(await kept()).toContain('ey');
    await customer.click('leave-device');
    await customer.page.getByText('Your data was removed from this device.').waitFor();
    expect(await kept()).toBe('[{},{}]');
    await customer.reload();
    await customer.waitFor('form');
    expect(await customer.find('join-name').inputValue()).toBe('');
  });

  it('lets a customer mute the microphone, turn the camera off and on, and choose other devices', async () => {
    const { agent, customer } = await scene.connected();
    await customer.click('toggle-camera');
    await agent.waitUntilFrozen();
    await customer.click('toggle-camera');
    await agent.waitForPicture();
    await until(async () => String(await soundTracksSent(customer)) === 'true');
    await customer.click('toggle-microphone');
    await until(async () => (await soundTracksSent(customer)).every((isSent) => !isSent));
    await customer.click('toggle-microphone');
    await until(async () => (await soundTracksSent(customer)).some(Boolean));

    const cameras = new Set([await cameraSent(customer)]);
    for (const count of [2, 3]) {
      await customer.click('switch-camera');
      await until(async () => cameras.add(await cameraSent(customer)).size === count);
    }
    await Promise.all([agent.waitForPicture(), customer.waitForOwnPicture()]);

    const { page } = customer;
    await customer.click('more');
    const speakers = page.getByLabel('Speaker');
    const [, other = ''] = await speakers
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    await speakers.selectOption(other);
    await until(async () => (await playing(page))[0]?.speaker === other);
    await page.getByRole('button', { name: 'Small window' }).click();
    const shownSmall = () =>
      page.evaluate(() => document.pictureInPictureElement?.getAttribute('data-testid'));
    await until(async () => (await shownSmall()) === 'remote-video');
    await customer.click('more');
    await page.getByRole('button', { name: 'Small window' }).click();
    await until(async () => (await shownSmall()) === undefined);
  });
});

/** Whether the page has loaded the code of the call. */
const hasCallCode = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/call-view-')),
  );

/** The camera whose picture the page sends, once it sends one. */
const cameraSent = ({ page }: CustomerPage): Promise<string> =>
  until(() =>
    page.evaluate(() =>
      (window.peerConnections ?? [])
        .filter(({ connectionState }) => connectionState === 'connected')
        .flatMap((connection) => connection.getSenders())
        .map(({ track }) => (track?.kind === 'video' ? track.getSettings().deviceId : undefined))
        .find(Boolean),
    ),
  );

/** Whether each audio track that the page sends is enabled. */
function soundTracksSent({ page }: CustomerPage): Promise<boolean[]> {
  return page.evaluate(() =>
    (window.peerConnections ?? [])
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((connection) => connection.getSenders())
      .flatMap(({ track }) => (track?.kind === 'audio' ? [track.enabled] : [])),
  );
}
