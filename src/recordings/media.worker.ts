import { parentPort, workerData } from 'node:worker_threads';
import { ALL_FORMATS, CustomSource, HLS, Input, Logging, LogLevel } from 'mediabunny';

/** Asks for the bytes from `start` to `end`, both included. Where there are none, the thread is ended. */
export interface ReadRequest {
  id: number;
  start: number;
  end: number;
}

export interface ReadAnswer {
  id: number;
  bytes: Uint8Array;
}

/** What media.ts wants to know, as it is found out. */
export type Finding = { content_type: string } | { duration: number };

const LONGEST_SECONDS = 1e7;

/** Playlists name other files, which nobody uploaded. */
const FORMATS = ALL_FORMATS.filter((format) => format !== HLS);

// What is odd about strangers' files fills no log of ours.
Logging.level = LogLevel.Silent;

const waiting = new Map<number, (bytes: Uint8Array) => void>();
let asked = 0;

parentPort?.on('message', ({ id, bytes }: ReadAnswer) => {
  waiting.get(id)?.(bytes);
  waiting.delete(id);
});

/** @param end not included, as mediabunny counts */
function read(start: number, end: number): Promise<Uint8Array> {
  const id = ++asked;
  parentPort?.postMessage({ id, start, end: end - 1 } satisfies ReadRequest, []);
  return new Promise((resolve) => waiting.set(id, resolve));
}

const tell = (finding: Finding) => parentPort?.postMessage(finding, []);

async function inspect(size: number): Promise<void> {
  const source = new CustomSource({
    getSize: () => size,
    prefetchProfile: 'fileSystem',
    maxCacheSize: 4 * 1024 * 1024,
    read,
  });
  const input = new Input({ formats: FORMATS, source });
  const [content_type = ''] = (await input.getMimeType()).split(';', 1);
  if (/^(audio|video)\//.test(content_type)) tell({ content_type });
  const seconds = await input.computeDuration();
  if (seconds > 0 && seconds < LONGEST_SECONDS) tell({ duration: Math.round(seconds) });
}

// Whatever a container makes the library stumble over: what was told before still stands.
void inspect(workerData as number)
  .catch(() => {})
  .finally(() => parentPort?.close());
