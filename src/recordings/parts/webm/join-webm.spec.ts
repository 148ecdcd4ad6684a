import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { ByteReader } from './byte-reader';
import { joinWebm } from './join-webm';
import { NotJoinable } from './not-joinable';
import { readBlocks } from './webm-blocks';
import { readWebmHeader } from './webm-header';

const fixture = (name: string) => readFileSync(join(__dirname, '../../../../test/fixtures', name));
const RECORDED = fixture('call.webm');
const FRAME_MS = 100;
const CLUSTER_MS = 1000;
const END = Buffer.alloc(0);

/** A source that passes on `step` bytes at a time. */
async function* chunksOf(bytes: Buffer, step: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += step) yield Buffer.from(bytes.subarray(at, at + step));
}

async function joinAll(recording: Buffer | null, part: Buffer, start: number, step = 1000) {
  const joining = joinWebm(recording && (() => chunksOf(recording, step)), {
    content: () => chunksOf(part, step),
    start,
  });
  const chunks: Buffer[] = [];
  for (;;) {
    const { done, value } = await joining.next();
    if (done) return { content: Buffer.concat(chunks), ...value };
    chunks.push(value);
  }
}

/** @returns what a player shows and when: the time, the track, and the frame */
async function framesOf(file: Buffer): Promise<[number, number, string][]> {
  const reader = new ByteReader(chunksOf(file, 4096));
  await readWebmHeader(reader);
  const frames: [number, number, string][] = [];
  for await (const { clusterTime, offset, track, bytes, trackAt } of readBlocks(reader)) {
    frames.push([clusterTime + offset, track, bytes.subarray(trackAt + 4).toString('hex')]);
  }
  return frames;
}

const HEADER = RECORDED.subarray(0, RECORDED.indexOf(Buffer.from('1f43b675', 'hex')));

/** A cluster of two tracks with a frame every 100 ms. @param number of the cluster, which its frames have as content */
function clusterAt(time: number, number: number): Buffer {
  const blocks = Array.from({ length: CLUSTER_MS / FRAME_MS }, (_, frame) =>
    [1, 2].map((track) => {
      const block = Buffer.from([0xa3, 0x86, 0x80 | track, 0, 0, 0x80, number, frame]);
      block.writeInt16BE(frame * FRAME_MS, 3);
      return block;
    }),
  );
  const head = Buffer.from('1f43b67501ffffffffffffffe78400000000', 'hex');
  head.writeUInt32BE(time, 14);
  return Buffer.concat([head, ...blocks.flat()]);
}

/** What a page load records of a longer recording: the clusters from `first`, with times from 0. */
const partOf = (first: number, count: number): Buffer =>
  Buffer.concat([HEADER, ...Array.from({ length: count }, (_, n) => clusterAt(n * CLUSTER_MS, first + n))]);

describe('joinWebm', () => {
  it('keeps every frame of a part of a browser', async () => {
    const { content, duration, isVideo } = await joinAll(null, RECORDED, 0);
    expect(await framesOf(content)).toEqual(await framesOf(RECORDED));
    expect((await framesOf(RECORDED)).length).toBeGreaterThan(20);
    expect(duration).toBeGreaterThan(1400);
    expect(duration).toBeLessThan(1700);
    expect(isVideo).toBe(true);
  });

  it('shows the frames of a second part after those of the first', async () => {
    const first = await joinAll(null, RECORDED, 0);
    const both = await joinAll(first.content, RECORDED, first.duration);
    const frames = await framesOf(RECORDED);
    const later = frames.map(([time, track, frame]) => [time + first.duration, track, frame]);
    expect(await framesOf(both.content)).toEqual([...frames, ...later]);
    expect(both.duration).toBe(first.duration);
  });

  it.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[1, 3, 0, 2]], [[2, 0, 3, 1]]])(
    'gives back a recording that was split at clusters, joined in the order %j',
    async (order) => {
      for (const lengths of [
        [1, 1, 1, 1],
        [3, 1, 2, 1],
        [1, 5, 1, 4],
      ]) {
        const total = lengths.reduce((sum, length) => sum + length, 0);
        const firsts = lengths.map((_, n) => lengths.slice(0, n).reduce((sum, length) => sum + length, 0));
        const joined = new Map<number, number>();
        let content: Buffer | null = null;
        for (const n of order) {
          let start = 0;
          for (const [part, duration] of joined) if (part < n) start += duration;
          const result = await joinAll(content, partOf(firsts[n] ?? 0, lengths[n] ?? 0), start, 7 + n);
          joined.set(n, result.duration);
          content = result.content;
        }
        expect([...joined.values()].reduce((sum, duration) => sum + duration, 0)).toBe(total * CLUSTER_MS);
        expect(await framesOf(content ?? END)).toEqual(await framesOf(partOf(0, total)));
      }
    },
  );

  it.each([3_600_000, CLUSTER_MS / 2])(
    'takes a part that begins at %d ms as if it began at 0',
    async (origin) => {
      const later = Buffer.concat([HEADER, clusterAt(origin, 0), clusterAt(origin + CLUSTER_MS, 1)]);
      const alone = await joinAll(null, later, 0);
      expect([alone.duration, await framesOf(alone.content)]).toEqual([
        2 * CLUSTER_MS,
        await framesOf(partOf(0, 2)),
      ]);
      const second = await joinAll(partOf(0, 2), later, 2 * CLUSTER_MS);
      expect(second.duration).toBe(2 * CLUSTER_MS);
      expect((await framesOf(second.content)).map(([time]) => time)).toEqual(
        (await framesOf(partOf(0, 4))).map(([time]) => time),
      );
    },
  );

  it('begins with the duration and an index, so that players can seek', async () => {
    const first = await joinAll(null, partOf(0, 3), 0);
    const { content } = await joinAll(first.content, partOf(3, 2), 3 * CLUSTER_MS);
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(content) });
    expect(await input.getDurationFromMetadata()).toBe(5);
    const track = await input.getPrimaryVideoTrack();
    const sink = track && new EncodedPacketSink(track);
    for (const seconds of [4.35, 0.1, 2.95]) {
      const found = await sink?.getKeyPacket(seconds);
      expect(found?.timestamp).toBe(Math.floor(seconds * 10) / 10);
    }
    const length = content.readUIntBE(content.indexOf('18538067', 'hex') + 6, 6);
    expect(length).toBe(content.length - content.indexOf('18538067', 'hex') - 12);
    const cues = content.indexOf('1c53bb6b', 'hex');
    expect(cues).toBeGreaterThan(0);
    expect(cues).toBeLessThan(content.indexOf('1f43b675', 'hex'));
  });

  it('keeps the index of a long recording short', async () => {
    const frames = Array.from({ length: 45_000 }, (_, n) => clusterAt(n * CLUSTER_MS, 0).subarray(0, 34));
    const { content } = await joinAll(null, Buffer.concat([HEADER, ...frames]), 0, 1e6);
    const entries = content
      .subarray(0, content.indexOf('1f43b675', 'hex'))
      .toString('latin1')
      .split('\xbb\x01\0').length;
    expect(entries).toBeGreaterThan(10_000);
    expect(entries).toBeLessThan(20_001);
  });

  it('leaves out a frame that the closed page did not write to its end, at any byte', async () => {
    const frames = await framesOf(RECORDED);
    for (let length = HEADER.length + 400; length < RECORDED.length; length += 97) {
      const { content } = await joinAll(null, RECORDED.subarray(0, length), 0);
      const kept = await framesOf(content);
      expect(kept).toEqual(frames.slice(0, kept.length));
      expect((await joinAll(content, RECORDED, 2000)).content.length).toBeGreaterThan(content.length);
    }
  });

  it('gives the frames the track numbers of the recording', async () => {
    const swapped = Buffer.from(partOf(0, 1));
    const entries = [1, 2].map((number) => swapped.indexOf(Buffer.from([0xd7, 0x81, number])));
    expect(entries).not.toContain(-1);
    for (const at of entries) swapped[at + 2] = 3 - (swapped[at + 2] ?? 0);
    const { content } = await joinAll(partOf(0, 1), swapped, CLUSTER_MS);
    const tracks = (await framesOf(content)).map(([, track]) => track);
    expect(tracks.slice(0, 4)).toEqual([1, 2, 1, 2]);
    expect(tracks.slice(-4)).toEqual([2, 1, 2, 1]);
  });

  it.each([
    ['nothing', END],
    ['text', Buffer.from('A recording, says the client.'.repeat(10))],
    ['MP4', fixture('call.mp4')],
    ['other tracks', fixture('call-audio.webm')],
    ['no frames', HEADER],
    ['no tracks', Buffer.concat([HEADER.subarray(0, HEADER.indexOf('1654ae6b', 'hex')), clusterAt(0, 0)])],
    ['rubbish after the header', Buffer.concat([HEADER, clusterAt(0, 0), Buffer.alloc(64, 0x11)])],
    ['a second file', Buffer.concat([RECORDED, RECORDED])],
    ['a huge frame', Buffer.concat([HEADER, clusterAt(0, 0), Buffer.from('a308ffffffffffff', 'hex'), END])],
    [
      'a time of centuries',
      Buffer.concat([
        HEADER,
        Buffer.from('1f43b67501ffffffffffffffe7861f', 'hex'),
        Buffer.alloc(5),
        clusterAt(0, 0).subarray(18),
      ]),
    ],
  ])('refuses %s', async (_what, part) => {
    await expect(joinAll(RECORDED, part, 2000)).rejects.toThrow(NotJoinable);
  });

  it('reads no more of rubbish than a header can have', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.concat([HEADER.subarray(0, 60)]);
      for (;;) {
        read += 1024;
        yield Buffer.alloc(1024, 0xec);
      }
    }
    const joining = joinWebm(null, { content: endless, start: 0 });
    await expect(joining.next()).rejects.toThrow(NotJoinable);
    expect(read).toBeLessThan(200 * 1024);
  });
});
