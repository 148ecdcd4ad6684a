import type { Browser } from 'playwright-core';
import { until } from '../support/until';
import { launchBrowser } from './support/browser/chromium';
import { callScene } from './support/call-scene';

const scene = callScene();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser({ sharesScreen: true });
});
afterAll(() => browser?.close());

it('a customer shares a screen, which the agent sees instead of the face, and stops', async () => {
  const { agent, customer } = await scene.connected(undefined, { browser });
  const shownTrack = () =>
    agent.page
      .getByTestId('remote-video')
      .first()
      .evaluate((video) => ((video as HTMLVideoElement).srcObject as MediaStream).getVideoTracks()[0]?.id);
  const camera = await shownTrack();
  await customer.click('share-screen');
  await until(async () => (await shownTrack()) !== camera);
  await agent.waitForPicture();
  await customer.click('share-screen');
  await until(async () => (await shownTrack()) === camera);
  await agent.waitForPicture();
});
