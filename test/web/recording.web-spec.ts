import type { Browser } from 'playwright-core';
import { until } from '../support/until';
import { launchBrowser } from './support/browser/chromium';
import { callScene, waitForPictures } from './support/call-scene';
import { type Company, createCompany } from './support/company';
import { sharedServers } from './support/shared-servers';
import type { AgentPage } from './support/pages/agent-page';
import { CustomerPage } from './support/pages/customer-page';

declare global {
  interface Window {
    recordedChunks?: number;
  }
}

const scene = callScene();

/** Whether a MediaRecorder of the agent's page runs. */
const isRecording = ({ page }: AgentPage) =>
  page.evaluate(() => (window.mediaRecorders ?? []).some(({ state }) => state === 'recording'));

async function recordingsOf({ tenant }: Company) {
  const { api } = tenant.owner;
  const [call] = (await api.get('/api/v1/calls')).body.data;
  return (await api.get(`/api/v1/calls/${call.id}/recordings`)).body.data;
}

/** Counts the chunks that recorders of the agent's page pass on. */
async function countChunks({ page }: AgentPage): Promise<void> {
  await page.evaluate(() => {
    const { start } = MediaRecorder.prototype;
    MediaRecorder.prototype.start = function count(this: MediaRecorder, ms?: number) {
      this.addEventListener(
        'dataavailable',
        () => (window.recordedChunks = (window.recordedChunks ?? 0) + 1),
      );
      start.call(this, ms);
    };
  });
}

/** Where a recording has a picture and not black, near its beginning and near its end. Fake cameras and screens are green. */
async function picturesOf({ page }: AgentPage, url: string) {
  return page.evaluate(async (source) => {
    const video = Object.assign(document.createElement('video'), { src: source, muted: true });
    const event = (name: string) =>
      new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
    await event('loadedmetadata');
    const { duration, videoWidth: width, videoHeight: height } = video;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const drawing = canvas.getContext('2d');
    const at = async (time: number, places: [number, number][]) => {
      const seeked = event('seeked');
      video.currentTime = time;
      await seeked;
      drawing?.drawImage(video, 0, 0);
      return places.map(([x, y]) => {
        const pixels = drawing?.getImageData(x - 15, y - 15, 30, 30).data ?? [];
        return [...pixels].filter((green, index) => index % 4 === 1 && green > 100).length > 200;
      });
    };
    const [above, below] = [20, 700];
    return {
      size: { width, height },
      duration,
      // Two halves, with black above and below.
      first: await at(0.5, [
        [320, 360],
        [960, 360],
        [320, above],
        [960, below],
      ]),
      // Three quarters for the screen, and the rest for two people, one above the other.
      last: await at(duration - 0.3, [
        [480, 360],
        [1120, 180],
        [1120, 540],
        [1120, above],
      ]),
    };
  }, url);
}

/** Lets the microphone of a page hear a tone. Runs in the page. */
function hearTone(frequency: number): void {
  const { mediaDevices } = navigator;
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await getUserMedia(constraints);
    const context = new AudioContext();
    const heard = context.createMediaStreamDestination();
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(new GainNode(context, { gain: 0.3 })).connect(heard);
    tone.start();
    for (const track of stream.getAudioTracks()) {
      stream.removeTrack(track);
      stream.addTrack(heard.stream.getAudioTracks()[0]);
    }
    return stream;
  };
}

/** How strong tones are in half a second of a recording's sound, near its end. Silence has 0, a full tone 1. */
async function tonesOf({ page }: AgentPage, url: string, frequencies: readonly number[]): Promise<number[]> {
  return page.evaluate(
    async ([source, wanted]) => {
      const content = await (await fetch(source)).arrayBuffer();
      const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(content);
      const last = sound.getChannelData(0).slice(-48_000, -24_000);
      return wanted.map((frequency) => {
        const turn = (2 * Math.PI * frequency) / 48_000;
        const along = last.reduce((sum, value, index) => sum + value * Math.cos(turn * index), 0);
        const across = last.reduce((sum, value, index) => sum + value * Math.sin(turn * index), 0);
        return (2 * Math.hypot(along, across)) / last.length;
      });
    },
    [url, frequencies] as const,
  );
}

describe('a recording', () => {
  it('starts only after the customer agreed, and is visible while it runs, also after a reload, until the customer ends it', async () => {
    const { agent, customer, company } = await scene.connected();
    await agent.click('record');
    await customer.waitForId('recording-consent');
    expect(await isRecording(agent)).toBe(false);
    expect(await customer.find('recording-notice').count()).toBe(0);

    await customer.click('recording-consent');
    await customer.waitForId('recording-notice');
    await customer.waitUntilGone('recording-consent');
    await until(() => isRecording(agent));
    await customer.reload();
    await customer.waitForId('recording-notice');
    expect(await isRecording(agent)).toBe(true);

    await customer.focusByTab('recording-stop');
    await customer.page.keyboard.press('Enter');
    await customer.waitForId('recording-refused');
    expect(await customer.find('recording-refused').evaluate((text) => text === document.activeElement)).toBe(
      true,
    );
    await customer.waitUntilGone('recording-notice');
    await until(async () => !(await isRecording(agent)));
    // What was agreed until then is kept, and the call goes on.
    await until(async () => (await recordingsOf(company)).length === 1);
    await customer.waitForPicture();
    // What cannot be inspected in time gets its duration from a job.
    await until(async () => (await recordingsOf(company))[0].duration > 0);
  });

  it('does not start when the customer refuses, and the call goes on', async () => {
    const { agent, customer } = await scene.connected();
    await agent.click('record');
    await customer.waitForId('recording-consent');
    await customer.click('recording-refuse');
    await customer.waitUntilGone('recording-consent');
    await customer.waitForPicture();
    expect(await isRecording(agent)).toBe(false);
    expect(await customer.find('recording-notice').count()).toBe(0);
  });
});

describe('the file of a recording', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser({ sharesScreen: true });
  });
  afterAll(() => browser?.close());

  it('has both people, a shared screen beside them, and both voices, for a player that can seek', async () => {
    const company = await createCompany();
    const options = { browser, url: sharedServers().url };
    const agent = await scene.agent(company, options);
    await agent.page.evaluate(hearTone, 500);
    const page = await scene.customerPage(options);
    await page.context().addInitScript(hearTone, 1900);
    const customer = await CustomerPage.join(page, company.link, undefined, options.url);
    await agent.answer();
    await waitForPictures(agent, customer);
    const recorded = () => agent.page.evaluate(() => window.recordedChunks ?? 0);
    await countChunks(agent);
    await agent.click('record');
    await customer.click('recording-consent');
    await until(async () => (await recorded()) >= 2);
    await customer.click('share-screen');
    await agent.page.locator('.inset.start').waitFor();
    const before = await recorded();
    await until(async () => (await recorded()) >= before + 2);
    await customer.click('recording-stop');
    await until(async () => (await recordingsOf(company))[0]?.duration > 0);

    const { api } = company.tenant.owner;
    const [call] = (await api.get('/api/v1/calls')).body.data;
    const { url } = (await api.post(`/api/v1/calls/${call.id}/recording/ticket`)).body.data;
    const pictures = await picturesOf(agent, url);
    expect(pictures).toMatchObject({
      size: { width: 1280, height: 720 },
      first: [true, true, false, false],
      last: [true, true, true, false],
    });
    expect(pictures.duration).toBeGreaterThan(6);
    const [ofAgent, ofCustomer, ofNone] = await tonesOf(agent, url, [500, 1900, 1200]);
    expect(ofAgent).toBeGreaterThan(0.1);
    expect(ofCustomer).toBeGreaterThan(0.1);
    expect(ofNone).toBeLessThan(0.02);
  });
});
