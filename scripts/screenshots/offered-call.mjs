import { fill, find, openCustomer, settle, waitForVideos } from './browse.mjs';
import { untilRecorded } from './demo-service.mjs';
import { savePicture } from './save-picture.mjs';

const CUSTOMER = { name: 'Bruno Costa', reason: 'A larger plan for our office' };
const RECORDED_MS = 12_000;

/**
 * Holds a call of the department that offers its calls, from the offer to the rating, and records it. Its details then
 * have all that a call can have.
 * @param agent a page of the console whose agent is free @returns the name of the customer
 */
export async function holdOfferedCall(browser, service, agent) {
  const customer = await openCustomer(browser);
  await fill(customer, service, await service.linkOf('Vendas'), CUSTOMER);
  await find(customer, 'join-submit').click();
  await find(agent, 'offer').waitFor();
  await settle(agent);
  await savePicture(agent, 'console-offer');
  await find(agent, 'offer-accept').click();
  await find(customer, 'ready').click();
  await waitForVideos(agent, customer);
  await find(agent, 'record').click();
  await find(customer, 'recording-consent').click();
  await find(customer, 'recording-notice').waitFor();
  await chat(customer, 'We are twelve people now.');
  await find(agent, 'notes').fill('Wants an offer for twelve users by Friday.');
  await agent.waitForTimeout(RECORDED_MS);
  await find(agent, 'complete').click();
  await find(customer, 'rating-5').click();
  await find(customer, 'rating-submit').click();
  await find(customer, 'rating-thanks').waitFor();
  await untilRecorded(service, CUSTOMER.name);
  return CUSTOMER.name;
}

async function chat(customer, text) {
  await find(customer, 'chat-open').click();
  await find(customer, 'chat-input').fill(text);
  await find(customer, 'chat-send').click();
}
