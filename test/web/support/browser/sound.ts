import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../support/until';

declare global {
  interface Window {
    /** All audio elements that the page has made. */
    players?: HTMLAudioElement[];
  }
}

/** Makes the pages of a context remember their audio elements for the checks of a spec. */
export async function recordPlayers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const made: HTMLAudioElement[] = [];
    window.players = made;
    window.Audio = class extends Audio {
      constructor(source?: string) {
        super(source);
        made.push(this);
      }
    };
  });
}

/**
 * Lets fake microphones be heard as they are: what a browser does to their sound takes a fifth of the processor time of a
 * call, and echoes are none of them.
 */
export async function leaveSoundAsItIs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { mediaDevices } = navigator;
    // Pages without TLS have none.
    if (!mediaDevices) return;
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
    const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    mediaDevices.getUserMedia = ({ audio, ...others } = {}) =>
      getUserMedia(
        typeof audio === 'object'
          ? { ...others, audio: { ...audio, ...raw } }
          : { ...others, ...(audio && { audio }) },
      );
  });
}

/** Whether the page plays the sound of a call, and on which speaker: '' for that of the system. */
export const playing = (page: Page): Promise<{ speaker: string }[]> =>
  page.evaluate(() =>
    (window.players ?? [])
      .filter(({ srcObject, paused }) => srcObject !== null && !paused)
      .map(({ sinkId }) => ({ speaker: sinkId })),
  );

/** Waits until a page receives sound that is not silence: fake microphones beep once a second. */
export async function waitForSound(page: {
  evaluate(run: () => Promise<number>): Promise<number>;
}): Promise<void> {
  const before = await page.evaluate(receivedEnergy);
  await until(
    async () => (await page.evaluate(receivedEnergy)) > before,
    () => 'no sound arrives',
  );
}

/** Runs in the page. @returns the energy of all sound that it has received */
async function receivedEnergy(): Promise<number> {
  let sum = 0;
  for (const connection of window.peerConnections ?? []) {
    (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
      // The energy is missing until the first packet.
      if (entry.type === 'inbound-rtp' && entry.kind === 'audio') sum += Number(entry.totalAudioEnergy ?? 0);
    });
  }
  return sum;
}
