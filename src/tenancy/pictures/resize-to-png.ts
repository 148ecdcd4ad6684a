import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Semaphore } from '../../platform/database/connections/semaphore';
import { invalidField } from '../../platform/http/errors/api-error';
import type { DecodeAnswer, DecodeRequest, PictureFormat } from './picture-decoder.worker';

const FORMAT_NAMES: Record<PictureFormat, string> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  gif: 'GIF',
  heif: 'AVIF',
};
const ALL_FORMATS = Object.keys(FORMAT_NAMES) as PictureFormat[];

const MAX_PIXELS = 4_000_000;

/** What the decoding of one picture may use. */
const LIMITS = { memoryBytes: 200 * 1024 * 1024, durationMs: 5000 };

/** How long a picture waits for those before it. */
const WAIT_MS = 30_000;

const decoders = new Semaphore({ places: 2, perOwner: 1, busyMessage: 'Other pictures are being decoded.' });

/** Compiled JavaScript, or TypeScript when tests run the sources; Node warns about the latter. */
const WORKER_PATH = join(__dirname, `picture-decoder.worker${extname(__filename)}`);
const WORKER_FLAGS = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

export interface PngOptions {
  /** The largest width and height in pixels. */
  side: number;
  /** Cuts the middle out of the picture, so that it has exactly these sides. */
  isSquare?: boolean;
  /** Those that are accepted; all by default. */
  formats?: readonly PictureFormat[];
}

/**
 * Converts a picture to a PNG, upright and without metadata. Of an animated picture the first frame is used. One picture of a
 * tenant is decoded at a time, and two in all, each in a process of its own.
 * @throws 422 for `field` unless it is a complete picture of an accepted format and of at most 4 megapixels, which is decoded
 *   within the limits; ConnectionLimitError if it does not get its turn in time
 */
export async function resizeToPng(
  tenantId: string,
  picture: Buffer,
  { side, isSquare = false, formats = ALL_FORMATS }: PngOptions,
  field: string,
  limits = LIMITS,
): Promise<Buffer> {
  const release = await decoders.acquire({ owner: tenantId, waitMs: WAIT_MS });
  try {
    const request = {
      picture,
      side,
      isSquare,
      formats,
      maxPixels: MAX_PIXELS,
      maxMemory: limits.memoryBytes,
    };
    const answer = await decode(request, limits.durationMs);
    if (!answer) throw invalidField(field, 'must take less memory and time to decode');
    if ('png' in answer) return Buffer.from(answer.png);
    throw invalidField(
      field,
      answer.problem === 'pixels'
        ? `must have at most ${MAX_PIXELS / 1_000_000} megapixels`
        : `must be a complete picture of one of these formats: ${formats.map((format) => FORMAT_NAMES[format]).join(', ')}`,
    );
  } finally {
    release();
  }
}

/** @returns undefined if the process ended without an answer. @throws Error if it could not be started */
async function decode(request: DecodeRequest, durationMs: number): Promise<DecodeAnswer | undefined> {
  const worker = fork(WORKER_PATH, [], {
    execArgv: WORKER_FLAGS,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const timeout = setTimeout(() => worker.kill('SIGKILL'), durationMs);
  let answer: DecodeAnswer | undefined;
  worker.once('message', (message: DecodeAnswer) => (answer = message));
  // A process that has ended takes no message.
  worker.send(request, () => undefined);
  try {
    await once(worker, 'exit');
    return answer;
  } finally {
    clearTimeout(timeout);
  }
}
