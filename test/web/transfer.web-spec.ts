import { callScene, waitForPictures } from './support/call-scene';
import { createCompany } from './support/company';

const scene = callScene();

it('a transfer connects the customer with another agent without a new page', async () => {
  const company = await createCompany({ agents: 2 });
  const [, colleague] = company.agents;
  const { agent, customer } = await scene.connected(company);
  const other = await scene.agent(company, { member: colleague });
  await customer.page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await agent.transferTo(other.member);
  await other.click('offer-accept');

  await waitForPictures(other, customer);
  await agent.waitUntilGone('complete');
  expect(await customer.page.evaluate(() => 'isSamePage' in window)).toBe(true);
  const { body } = await company.tenant.owner.api.get('/api/v1/calls');
  expect(body.data).toMatchObject([{ status: 'active', user_id: colleague?.id }]);
  await other.complete();
  await customer.waitFor('rating');
});

it('a transfer to another department leads back to the line, and on to an agent there', async () => {
  const company = await createCompany({ agents: 0 });
  const { tenant } = company;
  const department = await tenant.department({ name: 'Second Level' });
  const expert = await tenant.member('attendant', [department.id]);
  // Attendants may not list departments other than their own.
  company.agents.push(await tenant.member('supervisor', [company.department.id]));
  const { agent, customer } = await scene.connected(company);
  const other = await scene.agent(company, { member: expert });

  await agent.transferTo(department);
  await customer.waitFor('waiting');
  expect(await customer.page.locator('main').textContent()).toContain('Second Level');
  await agent.waitUntilGone('complete');
  await other.answer();
  await waitForPictures(other, customer);
});
