import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  ALL_FORMATS,
  CustomSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  HLS,
  Input,
  type InputTrack,
  Logging,
  LogLevel,
  MATROSKA,
  MkvOutputFormat,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';

/** Starts the inspection of a file of `size` bytes. */
export interface InspectRequest {
  size: number;
}

/** Starts the joining of a part to a recording. The files are copies. */
export interface JoinRequest {
  /** Path of the parts joined so far; null for the first part. */
  recording: string | null;
  /** Path of the part, which is repaired if it was cut. */
  part: string;
  /** Where the part begins in the joined recording, in milliseconds. */
  start: number;
  /** Path of the joined file. */
  output: string;
  /** A longer output is not written. */
  max_bytes: number;
}

/** What was joined. */
export interface JoinResult {
  content_type: string;
  /** Of the part, in milliseconds. */
  duration: number;
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
type MetadataMessage = { content_type: string } | { duration: number } | { joined: JoinResult };

/** Tells that the process makes progress. */
interface ProgressMessage {
  progress: true;
}

/** Ends the work on a file. */
interface DoneMessage {
  done: true;
  /** Whether nothing of the work is pending, so that the process can be used again. */
  reusable: boolean;
  /** What the system refused, for example for lack of space. */
  failure?: string;
}

export type WorkerMessage = ReadRequest | MetadataMessage | ProgressMessage | DoneMessage;

/** 115 days: a file with later times is malformed. */
const MAX_DURATION_SECONDS = 1e7;
/** A longer gap between two frames is an interruption, not the duration of a frame. */
const MAX_FRAME_SECONDS = 1;
const CACHE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const PROGRESS_MS = 500;

/** Without HLS: its playlists make the parser open other files. */
const FORMATS = ALL_FORMATS.filter((format) => format !== HLS);

/** Bytes of resident memory. V8's limits do not cover the contents that parsers load: whole clusters, as long as the file says. */
const MAX_MEMORY = 400 * 1024 * 1024;
const WATCH_MS = 5;

/** Ends this process when its parent has ended or it takes too much memory, also while a parser runs in an endless loop. */
const WATCH = `
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid || process.memoryUsage.rss() > ${MAX_MEMORY}) process.kill(process.pid, 'SIGKILL');
  }, ${WATCH_MS});
`;

// Malformed uploads must not fill the service's log.
Logging.level = LogLevel.Silent;

const pendingReads = new Map<number, (bytes: Uint8Array) => void>();
let lastReadId = 0;

// A parser in an endless loop must not take the processors from the service.
setPriority(constants.priority.PRIORITY_LOW);
new Worker(WATCH, { eval: true }).unref();
process.on('message', (message: InspectRequest | JoinRequest | ReadResponse) => {
  if ('id' in message) {
    pendingReads.get(message.id)?.(message.bytes);
    pendingReads.delete(message.id);
    return;
  }
  // The parser fails on malformed files: properties that were reported before remain valid.
  void ('size' in message ? inspect(message) : joinWithProgress(message)).then(
    () => report({ done: true, reusable: pendingReads.size === 0 }),
    (error: unknown) => report({ done: true, reusable: false, failure: systemFailureOf(error) }),
  );
});

/** @param end exclusive, as mediabunny passes it */
function read(start: number, end: number): Promise<Uint8Array> {
  const id = ++lastReadId;
  process.send?.({ id, start, end: end - 1 } satisfies ReadRequest);
  return new Promise((resolve) => pendingReads.set(id, resolve));
}

const report = (message: MetadataMessage | ProgressMessage | DoneMessage) => process.send?.(message);

function systemFailureOf(error: unknown): string | undefined {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : message;
}

async function inspect({ size }: InspectRequest): Promise<void> {
  const source = new CustomSource({
    getSize: () => size,
    prefetchProfile: 'fileSystem',
    maxCacheSize: CACHE_BYTES,
    read,
  });
  const input = new Input({ formats: FORMATS, source });
  const content_type = await contentTypeOf(input);
  if (/^(audio|video)\//.test(content_type)) report({ content_type });
  const { duration } = await extentOf(input);
  if (duration > 0 && duration < MAX_DURATION_SECONDS) report({ duration: Math.round(duration) });
}

async function contentTypeOf(input: Input): Promise<string> {
  const [content_type = ''] = (await input.getMimeType()).split(';', 1);
  return content_type;
}

/**
 * Media that are cut from a longer stream do not start at 0. A negative start is not presented.
 * @returns seconds
 */
async function extentOf(input: Input): Promise<{ origin: number; duration: number }> {
  const ends = await Promise.all((await input.getTracks()).map(endOf));
  const origin = Math.max(0, await input.getFirstTimestamp());
  return { origin, duration: Math.max(0, ...ends) - origin };
}

/**
 * WebM stores no length of the last frame: it lasts as long as the one before it, if there is one.
 * @returns seconds
 */
async function endOf(track: InputTrack): Promise<number> {
  const packets = new EncodedPacketSink(track);
  const last = await packets.getPacket(Infinity, { metadataOnly: true });
  if (!last) return 0;
  if (last.duration > 0) return last.timestamp + last.duration;
  const tick = 1 / (await track.getTimeResolution());
  const before = await packets.getPacket(last.timestamp - tick, { metadataOnly: true });
  return last.timestamp + lengthOf(last.timestamp - (before?.timestamp ?? -Infinity), tick);
}

/** @returns the length of a frame by the gap between the last two, in seconds; `shortest` after an interruption */
const lengthOf = (gap: number, shortest: number): number => (gap <= MAX_FRAME_SECONDS ? gap : shortest);

/** The timer does not run while a parser is in an endless loop. */
async function joinWithProgress(request: JoinRequest): Promise<void> {
  repairEnd(request.part);
  const timer = setInterval(() => report({ progress: true }), PROGRESS_MS);
  const part = openWebm(request.part);
  const base = openWebm(request.recording ?? request.part);
  try {
    await join(base, part, request);
  } finally {
    clearInterval(timer);
    base.dispose();
    part.dispose();
  }
}

function openWebm(path: string): Input {
  const source = new FilePathSource(path, { maxCacheSize: CACHE_BYTES });
  return new Input({ formats: [WEBM, MATROSKA], source });
}

/**
 * Inserts the part's packets into those of the recording, whose later ones are shifted by the duration of the part. It
 * holds a few packets at a time, and reports nothing if the part has other tracks than the recording, or no packets.
 */
async function join(base: Input, part: Input, request: JoinRequest): Promise<void> {
  const { recording, start, output: path, max_bytes } = request;
  const { origin, duration: seconds } = await extentOf(part);
  const duration = milliseconds(seconds);
  if (duration <= 0 || start + duration > milliseconds(MAX_DURATION_SECONDS)) return;
  const tracks = await tracksOf(base);
  const added = new Map((await tracksOf(part)).map((each) => [each.decoding, each.track]));
  if (added.size !== tracks.length || !tracks.every(({ decoding }) => added.has(decoding))) return;
  const target = new FilePathTarget(path, { chunkSize: CHUNK_BYTES });
  let size = 0;
  target.on('write', ({ end }) => (size = Math.max(size, end)));
  const format = (await base.getFormat()) === WEBM ? new WebMOutputFormat() : new MkvOutputFormat();
  const output = new Output({ format, target });
  const place = { start, duration, shift: start - milliseconds(origin) };
  let open = await Promise.all(
    tracks.map(async ({ track, decoding }) => ({
      packets: withEnd(joinPackets(recording === null ? null : track, added.get(decoding) ?? track, place)),
      source: await addTrack(output, track),
      last: -Infinity,
    })),
  );
  await output.start();
  // The track whose last packet is the earliest gets the next one: of each other track a packet waits to be written.
  while (open.length > 0) {
    const next = open.reduce((first, each) => (each.last < first.last ? each : first));
    const { done, value } = await next.packets.next();
    if (done) {
      next.source.close();
      open = open.filter((each) => each !== next);
    } else {
      next.last = value.timestamp;
      await next.source.add(value);
      if (size > max_bytes) throw new Error('The joined file is too long');
    }
  }
  await output.finalize();
  report({ joined: { content_type: await contentTypeOf(part), duration } });
}

interface WebmTrack {
  track: InputTrack;
  /** What a player needs to decode it: tracks of two files are the same if it is equal. */
  decoding: string;
}

/** Pictures first: browsers number tracks as their first frames come. */
async function tracksOf(input: Input): Promise<WebmTrack[]> {
  const tracks = [...(await input.getVideoTracks()), ...(await input.getAudioTracks())];
  return Promise.all(
    tracks.map(async (track) => {
      const config: Partial<VideoDecoderConfig & AudioDecoderConfig> = (await track.getDecoderConfig()) ?? {};
      const description = Buffer.from((config.description ?? []) as Uint8Array).toString('hex');
      const { sampleRate, numberOfChannels } = config;
      return {
        track,
        decoding: [await track.getCodec(), description, sampleRate, numberOfChannels].join(' '),
      };
    }),
  );
}

async function addTrack(output: Output, track: InputTrack) {
  if (track.isVideoTrack()) {
    const source = new EncodedVideoPacketSource(known(await track.getCodec()));
    output.addVideoTrack(source, { decoderConfig: known(await track.getDecoderConfig()) });
    return source;
  }
  if (!track.isAudioTrack()) throw new Error('A track is neither video nor audio');
  const source = new EncodedAudioPacketSource(known(await track.getCodec()));
  output.addAudioTrack(source, { decoderConfig: known(await track.getDecoderConfig()) });
  return source;
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('The codec is not known');
  return value;
}

/** Where a part is inserted: all in milliseconds. */
interface Place {
  start: number;
  duration: number;
  /** From the times of the part to those of the recording. */
  shift: number;
}

/** @param base the track of the recording; null for the first part */
async function* joinPackets(
  base: InputTrack | null,
  part: InputTrack,
  { start, duration, shift }: Place,
): AsyncGenerator<EncodedPacket, void> {
  const before = base && new EncodedPacketSink(base).packets();
  let next = await before?.next();
  for (; next?.value && milliseconds(next.value.timestamp) < start; next = await before?.next()) {
    yield shifted(next.value, 0);
  }
  for await (const packet of new EncodedPacketSink(part).packets()) yield shifted(packet, shift);
  for (; next?.value; next = await before?.next()) yield shifted(next.value, duration);
}

/** Gives the last packet a duration: with it the file has its own. */
async function* withEnd(packets: AsyncIterable<EncodedPacket>): AsyncGenerator<EncodedPacket, void> {
  let last: EncodedPacket | undefined;
  let gap = Infinity;
  for await (const packet of packets) {
    if (last) yield last;
    gap = packet.timestamp - (last?.timestamp ?? -Infinity);
    last = packet;
  }
  if (last) yield last.clone({ duration: last.duration || lengthOf(gap, 0) });
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000);

const shifted = (packet: EncodedPacket, shift: number): EncodedPacket =>
  packet.clone({ timestamp: Math.max(0, milliseconds(packet.timestamp) + shift) / 1000 });

/** Ids of EBML elements that others are read from (RFC 9559). */
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const MAX_ID_BYTES = 4;
const MAX_SIZE_BYTES = 8;

/**
 * Cuts off an element that was not written to its end, as a page that was closed leaves it, and what is no element. The
 * cluster it was in gets an unknown size, as in live streams, because the parser leaves out a cluster that is not complete.
 */
function repairEnd(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    let cluster: ElementHead | undefined;
    for (let at = 0; at < size;) {
      const head = readHead(file, at);
      if (head?.id === CLUSTER) cluster = head;
      if (head?.id === CLUSTER || head?.id === SEGMENT) at = head.contentAt;
      else if (head && head.contentAt + head.size <= size) at = head.contentAt + head.size;
      else {
        ftruncateSync(file, at);
        if (cluster) forgetSize(file, cluster);
        return;
      }
    }
  } finally {
    closeSync(file);
  }
}

interface ElementHead {
  id: number;
  /** Where its size is written, and then its content. */
  sizeAt: number;
  contentAt: number;
  /** Bytes of the content; larger than any file if it is unknown. */
  size: number;
}

/** @returns undefined if it is incomplete or malformed (RFC 8794) */
function readHead(file: number, at: number): ElementHead | undefined {
  const bytes = Buffer.alloc(MAX_ID_BYTES + MAX_SIZE_BYTES);
  const available = readSync(file, bytes, 0, bytes.length, at);
  const idBytes = lengthByFirst(bytes[0]);
  const sizeBytes = lengthByFirst(bytes[idBytes]);
  const length = idBytes + sizeBytes;
  if (idBytes > MAX_ID_BYTES || sizeBytes > MAX_SIZE_BYTES || length > available) return undefined;
  const [first = 0, ...rest] = bytes.subarray(idBytes, length);
  const size = rest.reduce((sum, byte) => sum * 256 + byte, first & (0xff >> sizeBytes));
  return { id: bytes.readUIntBE(0, idBytes), sizeAt: at + idBytes, contentAt: at + length, size };
}

/** @returns the length in bytes of an integer of variable length; 9 if it is invalid */
const lengthByFirst = (first = 0): number => Math.clz32(first) - 23;

function forgetSize(file: number, { sizeAt, contentAt }: ElementHead): void {
  const unknown = Buffer.alloc(contentAt - sizeAt, 0xff);
  unknown.writeUInt8(0xff >> (unknown.length - 1));
  writeSync(file, unknown, 0, unknown.length, sizeAt);
}
