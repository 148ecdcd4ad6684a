import { ALL_FORMATS, CustomSource, Input } from 'mediabunny';

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
const MOST_READS = 1000;
const MOST_MS = 20_000;

class TooMuch extends Error {}

/**
 * Looks into a container, reading no more than it has to. A file that lies about itself, or is damaged, is none
 * the worse for it: it keeps the type that its first bytes say, and has no duration.
 * @param size bytes
 * @param type what its first bytes say
 */
export async function inspectMedia(read: ReadBytes, size: number, type: string): Promise<Media> {
  const input = new Input({ formats: ALL_FORMATS, source: frugalSource(read, size) });
  try {
    const content_type = await orElse(async () => baseType(await input.getMimeType()), type);
    const duration = await orElse(async () => wholeSeconds(await input.computeDuration()), null);
    return { content_type, duration };
  } finally {
    input.dispose();
  }
}

function frugalSource(read: ReadBytes, size: number): CustomSource {
  const deadline = performance.now() + MOST_MS;
  let bytes = 0;
  let reads = 0;
  return new CustomSource({
    getSize: () => size,
    prefetchProfile: 'fileSystem',
    maxCacheSize: 4 * 1024 * 1024,
    read: async (start, end) => {
      bytes += end - start;
      reads += 1;
      if (bytes > MOST_BYTES || reads > MOST_READS || performance.now() > deadline) throw new TooMuch();
      return read(start, end - 1);
    },
  });
}

/** Whatever a container makes the library stumble over: there is always an answer. */
async function orElse<T>(find: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await find();
  } catch {
    return otherwise;
  }
}

const baseType = (mimeType: string): string => mimeType.split(';', 1)[0] ?? mimeType;

function wholeSeconds(seconds: number): number | null {
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e7 ? Math.round(seconds) : null;
}
