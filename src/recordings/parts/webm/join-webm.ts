import { ByteReader } from './byte-reader';
import { ClusterWriter } from './cluster-writer';
import { NotJoinable } from './not-joinable';
import { PartDuration } from './part-duration';
import { readBlocks, type WebmBlock } from './webm-blocks';
import { webmHead } from './webm-head';
import { readWebmHeader, type Track, type WebmHeader } from './webm-header';

/** 115 days: a part with a later time is malformed. */
const MAX_DURATION_MS = 1e10;

/** Reads something from its beginning, each time it is called. */
type Source = () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;

export interface NewPart {
  content: Source;
  /** Where it begins in the joined recording, in milliseconds. */
  start: number;
}

export interface JoinResult {
  /** Duration of the new part, in milliseconds. */
  duration: number;
  isVideo: boolean;
}

/**
 * Joins a new part to a recording: its clusters are inserted at `start`, and those of the recording from there on are
 * shifted by its duration. It streams, and holds one block at a time. Players find the duration and an index at the
 * beginning, so that one can seek: both are read twice.
 * @param recording the parts joined so far; null for the first part
 * @yields the joined file. @returns what was found in the part. @throws NotJoinable
 */
export async function* joinWebm(recording: Source | null, part: NewPart): AsyncGenerator<Buffer, JoinResult> {
  let length = 0;
  const measuring = joinClusters(recording, part);
  let next = await measuring.next();
  for (; !next.done; next = await measuring.next()) length += next.value.length;
  const { header, writer, ...result } = next.value;
  yield webmHead(header, writer, length);
  yield* joinClusters(recording, part);
  return result;
}

interface JoinedClusters extends JoinResult {
  header: WebmHeader;
  writer: ClusterWriter;
}

/** @yields the clusters of the joined file */
async function* joinClusters(
  recording: Source | null,
  { content, start }: NewPart,
): AsyncGenerator<Buffer, JoinedClusters> {
  const base = new ByteReader(recording ? await recording() : NOTHING);
  const part = new ByteReader(await content());
  try {
    const header = await readWebmHeader(part);
    const baseHeader = recording ? await readWebmHeader(base) : header;
    const numbers = matchTracks(baseHeader.tracks, header.tracks);
    const writer = new ClusterWriter(baseHeader.tracks);
    const blocks = readBlocks(base);
    let next = (await blocks.next()).value as WebmBlock | undefined;
    for (; next && next.clusterTime < start; next = (await blocks.next()).value as WebmBlock | undefined) {
      yield* writer.write(next, 0, next.track);
    }
    const measured = new PartDuration();
    for await (const block of readBlocks(part)) {
      const track = numbers.get(block.track);
      if (track === undefined) throw new NotJoinable('The part has a frame without a track.');
      measured.add(block);
      const { origin = 0, milliseconds } = measured;
      if (origin > MAX_DURATION_MS || start + milliseconds > MAX_DURATION_MS) {
        throw new NotJoinable('The part is too long.');
      }
      yield* writer.write(block, start - origin, track);
    }
    const duration = measured.milliseconds;
    if (duration === 0) throw new NotJoinable('The part has no frames.');
    for (; next; next = (await blocks.next()).value as WebmBlock | undefined) {
      yield* writer.write(next, duration, next.track);
    }
    yield* writer.flush();
    return { header: baseHeader, writer, duration, isVideo: header.tracks.some(({ isVideo }) => isVideo) };
  } finally {
    await Promise.all([base.close(), part.close()]);
  }
}

async function* NOTHING_TO_READ(): AsyncGenerator<Buffer> {}
const NOTHING = { [Symbol.asyncIterator]: NOTHING_TO_READ };

/** @returns the numbers that the recording has for the part's tracks: browsers number them as their first frames come */
function matchTracks(recording: Track[], part: Track[]): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const { number, decoding } of part) {
    const same = recording.find((track) => track.decoding === decoding);
    if (same) numbers.set(number, same.number);
  }
  const isSame = new Set(numbers.values()).size === recording.length && part.length === recording.length;
  if (!isSame) throw new NotJoinable('The part has other tracks than the recording.');
  return numbers;
}
