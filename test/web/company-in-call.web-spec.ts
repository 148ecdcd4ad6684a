import type { Locator } from 'playwright-core';
import { until } from '../support/until';
import { expectStatus } from '../support/builders';
import { upload } from '../support/http/multipart';
import { BarrierCheck } from './support/browser/barrier-check';
import { callScene, waitForPictures } from './support/call-scene';
import { createCompany, webTest } from './support/company';

const scene = callScene();
const check = new BarrierCheck();

/** Two by two pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==',
  'base64',
);

const isShown = (picture: Locator): Promise<boolean> =>
  picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

it('the customer sees the company and the photo of the agent, who has chosen it', async () => {
  const company = await createCompany();
  const agent = await scene.agent(company);
  const customer = await scene.waiting(company, { context: { viewport: { width: 360, height: 640 } } });
  await agent.click('account-menu');
  await agent.click('nav-account');
  const file = agent.page.locator('input[type="file"]');
  await file.setInputFiles({ name: 'me.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await agent.page.getByRole('alert').filter({ hasText: 'This file cannot be used' }).waitFor();
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG });
  const chosen = await agent.waitForId('photo');
  await until(() => isShown(chosen));
  await check.look(agent.page, 'account with photo');

  await agent.click('nav-queue');
  await agent.answer();
  await waitForPictures(agent, customer);
  const photo = await customer.waitForId('agent-photo');
  await until(() => isShown(photo));
  expect(await customer.find('company').textContent()).toBe(company.tenant.name);
  await check.look(customer.page, 'in call, name of the company');

  const { token } = company.tenant.owner;
  expectStatus(await upload(webTest(), '/api/v1/tenant/logo', [['file', PNG]], { token }), 201);
  await customer.reload();
  await waitForPictures(agent, customer);
  const logo = customer.find('company').getByRole('img', { name: company.tenant.name });
  await until(() => isShown(logo));
  await check.look(customer.page, 'in call, logo of the company');
  expect(check.found).toEqual([]);
});
