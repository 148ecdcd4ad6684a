import type { Browser, Page } from 'playwright-core';
import { until } from '../support/until';
import { BarrierCheck } from './support/browser/barrier-check';
import { launchBrowser } from './support/browser/chromium';
import { callScene } from './support/call-scene';
import { sharedServers } from './support/shared-servers';

const scene = callScene();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser({ sharesScreen: true });
});
afterAll(() => browser?.close());

/** Undefined while there is no picture. */
const shownTrack = (page: Page) =>
  page
    .getByTestId('remote-video')
    .first()
    .evaluate((video) => {
      const stream = (video as HTMLVideoElement).srcObject as MediaStream | null;
      return stream?.getVideoTracks()[0]?.id;
    });

it('the customer and the agent share a screen, which the other one sees instead of the face, and stop', async () => {
  const check = new BarrierCheck();
  const { agent, customer } = await scene.connected(undefined, { browser, url: sharedServers().url });
  for (const [sharer, viewer] of [
    [customer, agent],
    [agent, customer],
  ] as const) {
    const camera = await shownTrack(viewer.page);
    // The agent has a key for it.
    const toggle = () => (sharer === agent ? sharer.pressKey('s') : sharer.click('share-screen'));
    await toggle();
    await until(async () => ![camera, undefined].includes(await shownTrack(viewer.page)));
    await viewer.waitForPicture();
    if (sharer === agent) await check.look(agent.page, 'call, sharing the screen');
    await toggle();
    await until(async () => (await shownTrack(viewer.page)) === camera);
    await viewer.waitForPicture();
  }
  expect(check.found).toEqual([]);
});
