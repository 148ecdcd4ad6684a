import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import type { MetadataMessage, ReadRequest } from './media-inspector.worker';

/** Metadata of a recording's container. */
export interface MediaInfo {
  /** Distinguishes audio from video if the container format is supported. */
  content_type: string;
  /** Whole seconds; null if it is neither stored in the container nor found within the limits. */
  duration: number | null;
}

/** Reads the bytes from `start` to `end`, both included. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/**
 * Bytes that are read of one file. Browsers write WebM without a duration, so all of it has to be read: a larger file
 * has no duration.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** Each read is held in memory. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
const MAX_READS = 1000;
const INSPECTION_TIMEOUT_MS = 20_000;
/** Without a message from the thread: some contents send a parser into an endless loop. */
const IDLE_TIMEOUT_MS = 5_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** Compiled JavaScript, or TypeScript when tests run the sources; Node warns about the latter. */
const WORKER_PATH = join(__dirname, `media-inspector.worker${extname(__filename)}`);
const WORKER_FLAGS = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

const logger = new Logger('Media');
let lastInspection: Promise<unknown> = Promise.resolve();

/**
 * Reads the metadata of a container, and as little of the file as possible. It never fails: a malformed file keeps
 * `type` and has no duration. Files are inspected one after the other, each in a thread of its own, since a file of a
 * few hundred bytes can make a parser use any amount of memory or time; after 20 s in line a file is not inspected.
 * @param size bytes
 * @param type content type detected from the first bytes
 */
export function inspectMedia(read: ReadBytes, size: number, type: string): Promise<MediaInfo> {
  const deadline = performance.now() + INSPECTION_TIMEOUT_MS;
  const info: MediaInfo = { content_type: type, duration: null };
  const inspect = async () => {
    const ms = deadline - performance.now();
    if (ms > 0) await new Inspection(read, size, info).run(ms);
  };
  // If no thread can be started, this recording and the next ones are accepted without metadata.
  const inspection = lastInspection.then(inspect).catch((error: unknown) => logger.error(error));
  lastInspection = inspection;
  return inspection.then(() => info);
}

/** One thread, which ends when it is done, reads too much, or runs out of memory or time. */
class Inspection {
  private readonly worker: Worker;
  private readBytes = 0;
  private readCount = 0;

  constructor(
    private readonly read: ReadBytes,
    size: number,
    private readonly info: MediaInfo,
  ) {
    const options = { workerData: size, resourceLimits: RESOURCE_LIMITS, execArgv: WORKER_FLAGS, env: {} };
    this.worker = new Worker(WORKER_PATH, options);
    this.worker.on('message', (message: MetadataMessage | ReadRequest) => {
      if ('id' in message) void this.answer(message);
      else Object.assign(this.info, message);
    });
  }

  async run(ms: number): Promise<void> {
    const end = () => void this.worker.terminate();
    const timeout = setTimeout(end, ms);
    const idleTimeout = setTimeout(end, IDLE_TIMEOUT_MS);
    this.worker.on('message', () => idleTimeout.refresh());
    await once(this.worker, 'exit').catch((error: unknown) => {
      logger.warn(error, 'The metadata of a recording could not be read');
    });
    clearTimeout(timeout);
    clearTimeout(idleTimeout);
  }

  private async answer({ id, start, end }: ReadRequest): Promise<void> {
    const length = end - start + 1;
    this.readCount += 1;
    this.readBytes += length;
    const isTooMuch = length > MAX_READ_BYTES || this.readBytes > MAX_BYTES || this.readCount > MAX_READS;
    const found = isTooMuch ? null : await this.read(start, end).catch(() => null);
    if (!found) return void (await this.worker.terminate());
    // Copied, since small buffers of Node share one ArrayBuffer, which cannot be transferred.
    const bytes = new Uint8Array(found);
    this.worker.postMessage({ id, bytes }, [bytes.buffer]);
  }
}
