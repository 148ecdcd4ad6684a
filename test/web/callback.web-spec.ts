import { WebhookReceiver } from '../support/peers/webhook-receiver';
import { createWebhook } from '../support/contexts/webhooks';
import { expectStatus } from '../support/builders';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene } from './support/call-scene';
import { createCallingCompany, webTest } from './support/company';
import { CustomerPage } from './support/pages/customer-page';

const scene = callScene();
const check = new BarrierCheck();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver?.stop());

it('a customer who is called back returns by the button, and on another device by the link of the message', async () => {
  const company = await createCallingCompany();
  await createWebhook(company.tenant, receiver.url, ['callback.due']);
  const customer = await scene.waiting(company);
  const token = await customer.page.evaluate(() => Object.values(localStorage)[0]);
  const { body } = await company.tenant.owner.api.get('/api/v1/calls?status=queued');
  const path = `/api/v1/call/callback/${body.data[0].id}`;
  // The company sends the message itself.
  expectStatus(await webTest().api.as(token).post(path, { channel: 'webhook' }), 200);

  await customer.waitForId('callback-return');
  await check.look(customer.page, 'invited');
  expect(check.found).toEqual([]);
  await customer.click('callback-return');
  await customer.waitFor('waiting');
  expect(await customer.find('queue-position').textContent()).toBe('1');

  const [message] = await receiver.waitForDeliveries(1);
  const { hash } = new URL(message?.payload.data.resume_url);
  const phone = await CustomerPage.open(await scene.customerPage(), company.link, hash);
  await phone.waitFor('waiting');
  expect(await phone.page.evaluate(() => location.hash)).toBe('');
  await customer.waitFor('other_device');
  await check.look(customer.page, 'other device');
  expect(check.found).toEqual([]);
  expect(await customer.page.evaluate(() => localStorage.length)).toBe(0);
  const calls = await company.tenant.owner.api.get('/api/v1/calls?status=queued');
  const id = body.data[0].id as string;
  expect(calls.body.data).toMatchObject([{ id, status: 'queued' }]);

  // The page that the link has opened also rates, after a reload, too.
  const agent = await scene.agent(company);
  await agent.answer();
  await phone.waitForPicture();
  await agent.complete();
  await phone.waitFor('rating');
  await phone.reload();
  await phone.waitFor('rating');
  await phone.click('rating-5');
  await phone.click('rating-submit');
  await phone.waitForId('rating-thanks');
  const timeline = await company.tenant.owner.api.get(`/api/v1/calls/${id}/timeline`);
  expect(timeline.body.data.at(-1)).toMatchObject({ type: 'rated', rating: 5, rated_by: 'token' });
});

it('a customer to whom no mail can be sent reads so, keeps the place and can try another address', async () => {
  const company = await createCallingCompany();
  const { api } = webTest();
  const email = 'mailed.enough@example.com';
  for (const name of ['Ana', 'Bia', 'Caio']) {
    const { body } = await api.post(`/api/v1/call/${company.link.token}/join`, { name });
    const { call_id, websocket_token } = body.data;
    const request = { channel: 'email', email };
    expectStatus(await api.as(websocket_token).post(`/api/v1/call/callback/${call_id}`, request), 200);
  }
  const customer = await scene.waiting(company);
  await customer.click('request-callback');
  await customer.find('callback-email').fill(email);
  await customer.click('callback-submit');
  await customer.page.getByText('No mail can be sent to this address today.').waitFor();
  await customer.waitFor('waiting');
  expect(await customer.find('queue-position').textContent()).toBe('4');
  await check.look(customer.page, 'no mail');
  expect(check.found).toEqual([]);
  await customer.find('callback-email').fill('another@example.com');
  await customer.click('callback-submit');
  await customer.waitFor('callback');
});
