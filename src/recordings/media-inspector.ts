import { Logger } from '@nestjs/common';
import { type InspectionLimits, InspectionThread, type ReadBytes } from './inspection-thread';

/** Metadata of a recording's container. */
export interface MediaInfo {
  /** Distinguishes audio from video if the container format is supported. */
  content_type: string;
  /** Whole seconds; null if it is neither stored in the container nor found within the limits. */
  duration: number | null;
}

/** Browsers write WebM without a duration, so all of it has to be read: above 64 MiB, it has no duration. */
export const INSPECTION_LIMITS: InspectionLimits = {
  durationMs: 20_000,
  silenceMs: 5_000,
  bytes: 64 * 1024 * 1024,
  readBytes: 4 * 1024 * 1024,
  reads: 1000,
};

/** An unused thread ends after this time, to free its memory. Loading the parsers into a new one takes 80 ms of CPU. */
const KEEP_THREAD_MS = 5_000;

const logger = new Logger('Media');
let lastInspection: Promise<unknown> = Promise.resolve();
let thread: InspectionThread | undefined;
let unusedTimeout: NodeJS.Timeout | undefined;

/**
 * Reads the metadata of a container, and as little of the file as possible. It never fails: a malformed file keeps
 * `type` and has no duration. Files are inspected one after the other, in a thread that ends when a file is malformed or
 * exceeds the limits: a file of a few hundred bytes can make a parser use any amount of memory or time. A file that has
 * waited 20 s for its turn is not inspected.
 * @param size bytes
 * @param type content type detected from the first bytes
 */
export function inspectMedia(
  read: ReadBytes,
  size: number,
  type: string,
  limits = INSPECTION_LIMITS,
): Promise<MediaInfo> {
  const deadline = performance.now() + limits.durationMs;
  const info: MediaInfo = { content_type: type, duration: null };
  const inspect = async () => {
    const durationMs = deadline - performance.now();
    if (durationMs <= 0) return;
    clearTimeout(unusedTimeout);
    const current = !thread || thread.hasEnded ? new InspectionThread() : thread;
    thread = current;
    await current.inspect(read, size, { ...limits, durationMs }, (found) => Object.assign(info, found));
    unusedTimeout = setTimeout(() => void current.terminate(), KEEP_THREAD_MS).unref();
  };
  // If no thread can be started, this recording and the next ones are accepted without metadata.
  const inspection = lastInspection.then(inspect).catch((error: unknown) => logger.error(error));
  lastInspection = inspection;
  return inspection.then(() => info);
}
