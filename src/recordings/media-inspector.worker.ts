import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  ALL_FORMATS,
  CustomSource,
  EncodedPacketSink,
  HLS,
  Input,
  type InputTrack,
  Logging,
  LogLevel,
} from 'mediabunny';

/** Starts the inspection of a file of `size` bytes. */
export interface InspectRequest {
  size: number;
  /** MAX_FRAME_MS. When tests run the sources, Node cannot import it here. */
  maxFrameMs: number;
}

/** Asks the service for the bytes from `start` to `end`, both included. If it has none, it ends this process. */
export interface ReadRequest {
  id: number;
  start: number;
  end: number;
}

export interface ReadResponse {
  id: number;
  bytes: Uint8Array;
}

/** Sent for each property as soon as it is known: a later one may fail. */
type MetadataMessage = { content_type: string } | { duration: number };

/** Ends the inspection of a file. */
interface DoneMessage {
  done: true;
  /** Whether no read of the inspection is pending, so that the process can inspect another file. */
  reusable: boolean;
}

export type WorkerMessage = ReadRequest | MetadataMessage | DoneMessage;

const MAX_DURATION_SECONDS = 1e7;

/** Without HLS: its playlists make the parser open other files. */
const FORMATS = ALL_FORMATS.filter((format) => format !== HLS);

/** Ends this process when its parent has ended, also while a parser runs in an endless loop. */
const WATCH_PARENT = `
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || process.kill(process.pid, 'SIGKILL'), 1000);
`;

// Malformed uploads must not fill the service's log.
Logging.level = LogLevel.Silent;

const pendingReads = new Map<number, (bytes: Uint8Array) => void>();
let lastReadId = 0;

// A parser in an endless loop must not take the processors from the service.
setPriority(constants.priority.PRIORITY_LOW);
new Worker(WATCH_PARENT, { eval: true }).unref();
process.on('message', (message: InspectRequest | ReadResponse) => {
  if ('size' in message) {
    // The parser fails on malformed files: properties that were reported before remain valid.
    void inspect(message).then(
      () => report({ done: true, reusable: pendingReads.size === 0 }),
      () => report({ done: true, reusable: false }),
    );
  } else {
    pendingReads.get(message.id)?.(message.bytes);
    pendingReads.delete(message.id);
  }
});

/** @param end exclusive, as mediabunny passes it */
function read(start: number, end: number): Promise<Uint8Array> {
  const id = ++lastReadId;
  process.send?.({ id, start, end: end - 1 } satisfies ReadRequest);
  return new Promise((resolve) => pendingReads.set(id, resolve));
}

const report = (message: MetadataMessage | DoneMessage) => process.send?.(message);

async function inspect({ size, maxFrameMs }: InspectRequest): Promise<void> {
  const source = new CustomSource({
    getSize: () => size,
    prefetchProfile: 'fileSystem',
    maxCacheSize: 4 * 1024 * 1024,
    read,
  });
  const input = new Input({ formats: FORMATS, source });
  const [content_type = ''] = (await input.getMimeType()).split(';', 1);
  if (/^(audio|video)\//.test(content_type)) report({ content_type });
  // Media that are cut from a longer stream do not start at 0. A negative start is not presented.
  const ends = await Promise.all((await input.getTracks()).map((track) => endOf(track, maxFrameMs)));
  const seconds = Math.max(0, ...ends) - Math.max(0, await input.getFirstTimestamp());
  if (seconds > 0 && seconds < MAX_DURATION_SECONDS) report({ duration: Math.round(seconds) });
}

/**
 * WebM stores no length of the last frame: it lasts as long as the one before it, as in recordings of several parts.
 * @returns seconds
 */
async function endOf(track: InputTrack, maxFrameMs: number): Promise<number> {
  const packets = new EncodedPacketSink(track);
  const last = await packets.getPacket(Infinity, { metadataOnly: true });
  if (!last) return 0;
  if (last.duration > 0) return last.timestamp + last.duration;
  const tick = 1 / (await track.getTimeResolution());
  const before = await packets.getPacket(last.timestamp - tick, { metadataOnly: true });
  const gap = before ? last.timestamp - before.timestamp : 0;
  return last.timestamp + (gap * 1000 <= maxFrameMs ? gap : 0);
}
