import { expectStatus } from '../support/builders';
import { until } from '../support/until';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany } from './support/company';

const scene = callScene();

it('a transfer connects the customer with another agent without a new page, and back with the notes of that agent', async () => {
  const company = await createCompany({ agents: 2, offer_timeout: 120 });
  const [, colleague] = company.agents;
  const { agent, customer } = await scene.connected(company);
  const other = await scene.agent(company, { member: colleague });
  await customer.page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await agent.find('notes').fill('Wants a card.');
  await agent.transferTo(other.member);
  await other.click('offer-accept');

  await waitForPictures(other, customer);
  await agent.waitUntilGone('complete');
  await agent.page.getByText('The call is with somebody else now').waitFor();
  expect(await agent.find('notes').inputValue()).toBe('Wants a card.');
  expect(await customer.page.evaluate(() => 'isSamePage' in window)).toBe(true);
  const { body } = await company.tenant.owner.api.get('/api/v1/calls');
  expect(body.data).toMatchObject([{ status: 'active', user_id: colleague?.id }]);

  expect(await other.find('notes').inputValue()).toBe('Wants a card.');
  await other.find('notes').fill('Wants a card. Has moved.');
  await other.transferTo(agent.member);
  await agent.click('offer-accept');
  await until(async () => (await agent.find('notes').inputValue()) === 'Wants a card. Has moved.');
  await agent.complete();
  await customer.waitFor('rating');
});

it('a transfer to another department leads back to the line, and on to an agent there', async () => {
  const company = await createCompany();
  const { tenant } = company;
  // The agent belongs to neither.
  const { department, link } = await tenant.queue({ name: 'Second Level' });
  const full = await tenant.queue({ name: 'Third Level', max_queue_size: 1 });
  await tenant.join(full.link);
  const expert = await tenant.member('attendant', [department.id]);
  const { agent, customer } = await scene.connected(company);
  const other = await scene.agent(company, { member: expert });

  await agent.click('transfer');
  const { page } = agent;
  const option = (name: string) => page.getByRole('option', { name });
  await option('Second Level (0 waiting)').waitFor({ state: 'attached' });
  expect(await option('Third Level (full, 1 waiting)').isDisabled()).toBe(true);
  const { call_id } = await tenant.join(link);
  await option('Second Level (1 waiting)').waitFor({ state: 'attached' });
  expectStatus(await tenant.owner.api.post(`/api/v1/calls/${call_id}/assign`, {}), 200);
  await page.keyboard.press('Escape');

  await agent.transferTo(department);
  await customer.waitFor('waiting');
  expect(await customer.page.locator('main').textContent()).toContain('Second Level');
  await agent.waitUntilGone('complete');
  await other.answer();
  await waitForPictures(other, customer);
});
