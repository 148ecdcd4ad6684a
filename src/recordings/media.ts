import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import type { Finding, ReadRequest } from './media.worker';

/** What a recording's container says of it. */
export interface Media {
  /** With audio and video told apart, where it is a container that we know. */
  content_type: string;
  /** Whole seconds; null where neither the container says it nor its beginning shows it. */
  duration: number | null;
}

/** Gives the bytes from `start` to `end`, both included. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/**
 * What is read at the most. Browsers write WebM without a duration: all of it would have to be read, for a long
 * one. Those over this size have none.
 */
const MOST_BYTES = 64 * 1024 * 1024;
/** At a time: whoever asks for more wants it all in memory. */
const MOST_BYTES_OF_A_READ = 4 * 1024 * 1024;
const MOST_READS = 1000;
const MOST_MS = 20_000;
/** Without a word, neither asked for nor given: some contents make a parser turn in circles. */
const MOST_SILENT_MS = 5_000;
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** Compiled, or as it stands here where tests run; then Node would wonder at it. */
const WORKER = join(__dirname, `media.worker${extname(__filename)}`);
const QUIETLY = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

const logger = new Logger('Media');
let turn: Promise<unknown> = Promise.resolve();

/**
 * Looks into a container, reading no more than it has to. A file that lies about itself, or is damaged, is none
 * the worse for it: it keeps the type that its first bytes say, and has no duration. So does one whose turn has not
 * come within 20 s: they take turns, each in a thread of its own, since a few hundred bytes are enough to ask a parser
 * for more memory or time than there is.
 * @param size bytes
 * @param type what its first bytes say
 */
export function inspectMedia(read: ReadBytes, size: number, type: string): Promise<Media> {
  const deadline = performance.now() + MOST_MS;
  const media: Media = { content_type: type, duration: null };
  const look = async () => {
    const ms = deadline - performance.now();
    if (ms > 0) await new Inspection(read, size, media).run(ms);
  };
  // A machine that has no thread to spare is no reason to refuse a recording, this one or the next.
  const result = turn.then(look).catch((error: unknown) => logger.error(error));
  turn = result;
  return result.then(() => media);
}

/** One thread's work, until it has found all, has asked for too much, or is out of memory or time. */
class Inspection {
  private readonly worker: Worker;
  private bytes = 0;
  private reads = 0;

  constructor(
    private readonly read: ReadBytes,
    size: number,
    private readonly media: Media,
  ) {
    const options = { workerData: size, resourceLimits: MEMORY, execArgv: QUIETLY, env: {} };
    this.worker = new Worker(WORKER, options);
    this.worker.on('message', (message: Finding | ReadRequest) => {
      if ('id' in message) void this.answer(message);
      else Object.assign(this.media, message);
    });
  }

  async run(ms: number): Promise<void> {
    const end = () => void this.worker.terminate();
    const atLast = setTimeout(end, ms);
    const inSilence = setTimeout(end, MOST_SILENT_MS);
    this.worker.on('message', () => inSilence.refresh());
    await once(this.worker, 'exit').catch((error: unknown) => {
      logger.warn(error, 'A recording could not be looked into');
    });
    clearTimeout(atLast);
    clearTimeout(inSilence);
  }

  private async answer({ id, start, end }: ReadRequest): Promise<void> {
    const bytes = end - start + 1;
    this.reads += 1;
    this.bytes += bytes;
    const isTooMuch = bytes > MOST_BYTES_OF_A_READ || this.bytes > MOST_BYTES || this.reads > MOST_READS;
    const found = isTooMuch ? null : await this.read(start, end).catch(() => null);
    if (!found) return void (await this.worker.terminate());
    // Of its own, to be handed over: Node's small buffers share their memory.
    const own = new Uint8Array(found);
    this.worker.postMessage({ id, bytes: own }, [own.buffer]);
  }
}
