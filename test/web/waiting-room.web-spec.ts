import type { Page } from 'playwright-core';
import { expectStatus } from '../support/builders';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { callScene } from './support/call-scene';
import { createCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const { connect } = closingSockets(() => webTest().url);

declare global {
  var takenTracks: MediaStreamTrack[] | undefined;
}

describe('a customer who waits', () => {
  it('and tries the camera is filmed no more after leaving, or until the callback', async () => {
    const company = await createCompany({ callback_enabled: true });
    for (const leave of [leaveLine, requestCallback]) {
      const page = await scene.customerPage();
      await recordTracks(page);
      const customer = await CustomerPage.join(page, company.link);
      await customer.click('device-check');
      await until(async () => (await liveTracks(page)) > 0);
      await leave(customer);
      await until(async () => (await liveTracks(page)) === 0);
    }
  });

  it('always reads something true: nothing known, that an agent is being called, about how long', async () => {
    const company = await createCompany({ routing: 'automatic', agents: 0 });
    const customer = await scene.waiting(company);
    const wait = (text: string) => customer.find('queue-wait').filter({ hasText: text }).waitFor();
    await wait('Not known right now');
    const member = await company.tenant.member('attendant', [company.department.id]);
    const agent = await connect(member.token);
    // Its event may be missed while the socket connects; the snapshot then has it.
    const offer = await until(async () => (await member.api.get('/api/v1/offers')).body.data[0]);
    await wait('An agent is being called now');
    await agent.send('decline_offer', { offer_id: offer.id });
    await wait('about 1 minute');
    await agent.send('set_presence', { presence: 'away' });
    await wait('Not known right now');
  });

  it('in a new department reads about how long, while its agents are on calls', async () => {
    const company = await createCompany();
    const [agent] = company.agents;
    await connect(agent.token);
    const { call_id } = await company.tenant.join(company.link);
    for (const action of ['assign', 'start'])
      expectStatus(await agent.api.post(`/api/v1/calls/${call_id}/${action}`), 200);
    const customer = await scene.waiting(company);
    await customer.find('queue-wait').filter({ hasText: 'about 3 minutes' }).waitFor();
    await customer.page.getByText('This is a rough estimate. You keep your place.').waitFor();
  });

  it('by the keyboard finds the focus in the field that opens, and again if the address is wrong', async () => {
    const company = await createCompany({ callback_enabled: true });
    const customer = await scene.waiting(company);
    await customer.focusByTab('request-callback');
    await customer.page.keyboard.press('Enter');
    await waitForFocus(customer, 'callback-email');
    await customer.page.keyboard.type('clara@');
    await customer.focusByTab('callback-submit');
    await customer.page.keyboard.press('Enter');
    await waitForFocus(customer, 'callback-email');
  });

  it('is called back by one press at the address of the join, and can change it', async () => {
    const company = await createCompany({ callback_enabled: true });
    // The service calls the next customer of a line back at once.
    await company.tenant.join(company.link);
    const customer = await CustomerPage.open(await scene.customerPage(), company.link);
    await customer.waitFor('form');
    await customer.find('join-email').fill('clara@customer.example');
    await customer.join('Clara Customer');
    await customer.click('request-callback');
    const address = (email: string) => customer.find('callback-address').filter({ hasText: email }).waitFor();
    await address('clara@customer.example');

    await customer.focusByTab('callback-change');
    await customer.page.keyboard.press('Enter');
    await waitForFocus(customer, 'callback-email');
    await customer.find('callback-email').fill('clara@work.example');
    await customer.page.keyboard.press('Enter');
    await address('clara@work.example');
    expect(await focusedTestId(customer)).toBe('callback-change');
    await customer.reload();
    await address('clara@work.example');
  });

  it('leaves the line a moment after one press, unless they take it back before', async () => {
    const company = await createCompany();
    const customer = await scene.waiting(company);
    const status = async () => (await company.tenant.owner.api.get('/api/v1/calls')).body.data[0].status;
    await customer.pressAndHold('leave-queue');
    await customer.page.getByRole('status').filter({ hasText: 'Leaving the line…' }).waitFor();
    expect(await status()).toBe('queued');
    await customer.click('undo');
    await customer.waitUntilGone('undo');
    expect(await focusedTestId(customer)).toBe('leave-queue');

    await customer.page.keyboard.press('Enter');
    await customer.waitFor('over');
    expect(await status()).toBe('cancelled');
  });
});

const focusedTestId = ({ page }: CustomerPage) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.testid);

async function requestCallback(customer: CustomerPage): Promise<void> {
  await customer.click('request-callback');
  await customer.find('callback-email').fill('clara@customer.example');
  await customer.click('callback-submit');
  await customer.waitFor('callback');
}

const leaveLine = (customer: CustomerPage) => customer.leaveLine();

const waitForFocus = (customer: CustomerPage, id: string) =>
  until(() => customer.page.evaluate((field) => document.activeElement?.id === field, id));

/** Remembers all tracks of cameras and microphones that the page takes. */
async function recordTracks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const taken: MediaStreamTrack[] = [];
    globalThis.takenTracks = taken;
    const { mediaDevices } = navigator;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await getUserMedia(constraints);
      taken.push(...stream.getTracks());
      return stream;
    };
  });
}

const liveTracks = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.takenTracks?.filter(({ readyState }) => readyState === 'live').length ?? 0);

it('a customer whom the service is too busy for sees when the page tries again, which joins once', async () => {
  const company = await createCompany();
  const page = await scene.customerPage();
  const customer = await CustomerPage.open(page, company.link);
  const keys: (string | undefined)[] = [];
  let isBusy = true;
  await page.route('**/join', (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const json = { errors: { detail: 'The service is busy.', code: 'unavailable' } };
    return isBusy ? route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json }) : route.continue();
  });
  await customer.find('join-name').fill('Clara');
  await customer.click('join-submit');
  await page.getByText(/^Next attempt in [12] s\.$/).waitFor();
  isBusy = false;
  await customer.waitFor('waiting');
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
  const { body } = await company.tenant.owner.api.get('/api/v1/calls?status=queued');
  expect(body.data).toHaveLength(1);
});
