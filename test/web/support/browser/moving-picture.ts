import type { Locator } from 'playwright-core';
import { until } from '../../../support/until';

/** What a video element shows. */
export interface Picture {
  width: number;
  height: number;
  /** The share of sampled pixels that differ between two of its frames, 0 to 1. */
  changed: number;
  /** Whether all sampled pixels have the same colour, as in a black frame. */
  isBlank: boolean;
  /** Whether its track is received by a peer connection of the page. */
  isRemote: boolean;
}

/** Waits until a video element shows pictures that move and come from the other side. @returns the last one */
export const waitForRemotePicture = (video: Locator, timeoutMs?: number): Promise<Picture> =>
  waitForPicture(video, true, timeoutMs);

/** Waits until a video element shows pictures that move and come from this side's camera. @returns the last one */
export const waitForOwnPicture = (video: Locator): Promise<Picture> => waitForPicture(video, false);

async function waitForPicture(video: Locator, isRemote: boolean, timeoutMs?: number): Promise<Picture> {
  let last: Picture | string = 'no video element';
  return until(
    async () => {
      last = await takePicture(video).catch((error: Error) => error.message);
      return typeof last !== 'string' && isMoving(last) && last.isRemote === isRemote && last;
    },
    () => `no ${isRemote ? 'remote' : 'own'} picture moves: ${JSON.stringify(last)}`,
    timeoutMs,
  );
}

/** Waits until a video element shows no new picture. */
export async function waitUntilFrozen(video: Locator): Promise<void> {
  let last: Picture | string = '';
  await until(
    async () => {
      last = await takePicture(video).catch((error: Error) => error.message);
      return typeof last === 'string' || !isMoving(last);
    },
    () => `the picture still moves: ${JSON.stringify(last)}`,
  );
}

const isMoving = ({ width, height, changed, isBlank }: Picture) =>
  width > 0 && height > 0 && changed > 0 && !isBlank;

/** Draws two frames of a video and compares them. */
async function takePicture(video: Locator): Promise<Picture> {
  return video.first().evaluate(
    async (element: Element): Promise<Picture> => {
      const video = element as HTMLVideoElement;
      const SAMPLE = { width: 96, height: 72 };
      const MAX_WAIT_MS = 1_500;
      const canvas = document.createElement('canvas');
      Object.assign(canvas, SAMPLE);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const draw = () => {
        context?.drawImage(video, 0, 0, SAMPLE.width, SAMPLE.height);
        return new Uint32Array(
          context?.getImageData(0, 0, SAMPLE.width, SAMPLE.height).data.buffer ?? new ArrayBuffer(0),
        );
      };
      const before = draw();
      await new Promise((resolve) => {
        let frames = 0;
        const count = () => (++frames === 3 ? resolve(undefined) : video.requestVideoFrameCallback(count));
        video.requestVideoFrameCallback(count);
        setTimeout(resolve, MAX_WAIT_MS);
      });
      const after = draw();
      const changed = after.filter((pixel, at) => pixel !== before[at]).length / after.length;
      const tracks = (video.srcObject as MediaStream | null)?.getVideoTracks() ?? [];
      const received = (window.peerConnections ?? []).flatMap((connection) =>
        connection.getReceivers().map(({ track }) => track),
      );
      return {
        width: video.videoWidth,
        height: video.videoHeight,
        changed,
        isBlank: after.every((pixel) => pixel === after[0]),
        isRemote: tracks.some((track) => received.includes(track)),
      };
    },
    undefined,
    { timeout: 5_000 },
  );
}
