import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { until } from '../../support/until';
import { keepPeerConnections } from '../support/browser/peer-connections';
import { waitForSound } from '../support/browser/sound';
import { PATIENCE_MS } from '../support/pages/test-id';
import { PAGE_HOST, sharedServers } from '../support/shared-servers';

export type Engine = 'chromium' | 'firefox';

const PROGRAMS: Record<Engine, string> = {
  chromium: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  firefox: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
};

/**
 * Starts an engine with a fake camera and microphone, which it grants, as it does a shared screen.
 * @param env of a virtual desktop, on which Firefox opens its windows
 */
export async function launchEngine(engine: Engine, env: Record<string, string>): Promise<Browser> {
  const executablePath = PROGRAMS[engine];
  if (!existsSync(executablePath)) throw new Error(`There is no ${executablePath}: install ${engine}.`);
  if (engine === 'firefox') {
    return puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: false,
      env: { ...process.env, ...env },
      extraPrefsFirefox: FIREFOX_PREFERENCES,
    });
  }
  return puppeteer.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream=fps=5',
      '--use-fake-ui-for-media-stream',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--disable-quic',
      '--disable-gpu-rasterization',
      '--allow-loopback-in-peer-connection',
      `--host-resolver-rules=MAP ${PAGE_HOST} ${sharedServers().address}`,
    ],
  });
}

const FIREFOX_PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'intl.accept_languages': 'en-US',
};

/** Somebody who uses a page of the service. Elements are named by their data-testid. */
export class Person {
  private constructor(readonly page: Page) {}

  /** Opens a page in a profile of its own. @param path of the page, such as `/console` */
  static async open(browser: Browser, path: string): Promise<Person> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.evaluateOnNewDocument(keepPeerConnections);
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(sharedServers().url + path);
    return new Person(page);
  }

  /** Waits until an element is visible. */
  async see(id: string): Promise<void> {
    await this.page.locator(selector(id)).setVisibility('visible').wait();
  }

  /** Tabs of one window are drawn only in front. */
  async click(id: string): Promise<void> {
    await this.page.bringToFront();
    await this.page.locator(selector(id)).click();
  }

  async fill(id: string, text: string): Promise<void> {
    await this.page.locator(selector(id)).fill(text);
  }

  /** Chooses an entry of a native list. */
  async choose(id: string, value: string): Promise<void> {
    await this.page.waitForSelector(`${selector(id)} option[value="${value}"]`);
    await this.page.select(selector(id), value);
  }

  /** @returns the text of an element as it is now; empty without one */
  textOf(id: string): Promise<string> {
    return this.page.evaluate((query) => document.querySelector(query)?.textContent ?? '', selector(id));
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  /** Waits until the other side's picture moves. @returns the id of its track */
  seeOtherSide(): Promise<string> {
    let last = '';
    return until(
      async () => {
        const before = await this.sampleOtherSide();
        const after = await this.sampleOtherSide();
        last = JSON.stringify({ before, after });
        const isMoving = before && after && before.track === after.track && before.time !== after.time;
        return isMoving && after.isPicture && before.pixels !== after.pixels && after.track;
      },
      () => `no picture of the other side moves: ${last}`,
    );
  }

  /** Waits until sound of the other side arrives that is not silence. */
  hearOtherSide(): Promise<void> {
    return waitForSound(this.page);
  }

  /** The id of the track that the other side's video shows now; undefined without a picture. */
  async shownTrack(): Promise<string | undefined> {
    return (await this.sampleOtherSide())?.track;
  }

  /** A frame of the other side's video, once another one than the last was presented or half a second has passed. */
  private sampleOtherSide() {
    return (
      this.page
        .evaluate(async (query) => {
          const video = document.querySelector<HTMLVideoElement>(query);
          if (!video?.videoWidth) return undefined;
          await new Promise((resolve) => {
            video.requestVideoFrameCallback(resolve);
            setTimeout(resolve, 500);
          });
          const canvas = document.createElement('canvas');
          Object.assign(canvas, { width: 64, height: 48 });
          const context = canvas.getContext('2d', { willReadFrequently: true });
          context?.drawImage(video, 0, 0, 64, 48);
          const pixels = [...(context?.getImageData(0, 0, 64, 48).data ?? [])];
          return {
            track: (video.srcObject as MediaStream | null)?.getVideoTracks()[0]?.id ?? '',
            time: video.currentTime,
            isPicture: new Set(pixels.filter((_, at) => at % 4 !== 3)).size > 1,
            pixels: pixels.join(),
          };
        }, selector('remote-video'))
        // The page is being loaded again.
        .catch(() => undefined)
    );
  }
}

const selector = (id: string) => `[data-testid="${id}"]`;
