// Writes the pictures of the pages in docs/images, from the demo data of a service of its own: npm run docs:screenshots
import { chromium } from 'playwright-core';
import { fill, find, openCustomer, signIn, waitForVideos } from './screenshots/browse.mjs';
import { takeCallDetails, takeConsolePictures } from './screenshots/console-pages.mjs';
import { startDemoService, untilWaitsAreKnown } from './screenshots/demo-service.mjs';
import { holdOfferedCall } from './screenshots/offered-call.mjs';
import { savePicture } from './screenshots/save-picture.mjs';

const FIRST_CUSTOMER = { name: 'Otto Brandt', reason: 'An invoice' };
const CUSTOMER = { name: 'Helena Martins', reason: 'My new router does not connect.' };

const service = await startDemoService();
/** @type {(() => unknown)[]} */
const cleanups = [service.stop];

try {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--allow-loopback-in-peer-connection',
    ],
  });
  cleanups.push(() => browser.close());
  await takePictures(browser);
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup();
}

async function takePictures(browser) {
  const agent = await signIn(browser, service);
  await untilWaitsAreKnown(service);
  const before = await openCustomer(browser);
  await fill(before, service, service.token, FIRST_CUSTOMER);
  await find(before, 'join-submit').click();
  await agent.getByTestId('queue-row').filter({ hasText: FIRST_CUSTOMER.name }).waitFor();
  const customer = await openCustomer(browser);
  await fill(customer, service, service.token, CUSTOMER);
  await savePicture(customer, 'customer-form');
  await find(customer, 'join-submit').click();
  await find(customer, 'queue-wait').waitFor();
  await savePicture(customer, 'customer-waiting');
  await agent.getByTestId('queue-row').filter({ hasText: CUSTOMER.name }).getByTestId('answer').click();
  await find(customer, 'ready').click();
  await waitForVideos(agent, customer);
  await savePicture(customer, 'customer-call');
  await savePicture(agent, 'console-call');
  const owner = await signIn(browser, service, 'owner');
  await takeConsolePictures(owner);
  await find(agent, 'complete').click();
  await find(customer, 'rating-5').waitFor();
  await takeCallDetails(owner, await holdOfferedCall(browser, service, agent));
}
