import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { MediaInspector } from '../media-inspector';

const fixture = (name: string) => readFileSync(join(__dirname, '../../../test/fixtures', name));
const RECORDED = fixture('call.webm');
const FRAME_MS = 100;
const CLUSTER_MS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;
const END = Buffer.alloc(0);

const inspector = new MediaInspector(1);
/** Each part is of another tenant, since a tenant waits after a malformed one. */
let tenants = 0;
let folder: string;

beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'join-parts-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function tryToJoin(recording: Buffer | null, part: Buffer, start: number, max_bytes = MAX_BYTES) {
  const paths = { part: join(folder, 'part'), output: join(folder, 'output') };
  const base = recording && join(folder, 'recording');
  if (base) writeFileSync(base, recording);
  writeFileSync(paths.part, part);
  rmSync(paths.output, { force: true });
  return inspector.joinInTurn(`tenant ${tenants++}`, (join) =>
    join({ ...paths, recording: base, start, max_bytes }),
  );
}

async function joinAll(recording: Buffer | null, part: Buffer, start: number) {
  const result = await tryToJoin(recording, part, start);
  if (!result) throw new Error('Not joined');
  return { content: readFileSync(join(folder, 'output')), ...result };
}

/** @returns what a player shows and when: the time in milliseconds, the track, and the frame */
async function framesOf(file: Buffer): Promise<[number, string, string][]> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const frames: [number, string, string][] = [];
  for (const track of await input.getTracks()) {
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
      frames.push([Math.round(timestamp * 1000), track.type, Buffer.from(data).toString('hex')]);
    }
  }
  return frames.sort(([a, one], [b, other]) => a - b || one.localeCompare(other));
}

const HEADER = RECORDED.subarray(0, RECORDED.indexOf(Buffer.from('1f43b675', 'hex')));

/** A cluster of two tracks with a frame every 100 ms. @param number of the cluster, which its frames have as content */
function clusterAt(time: number, number: number, tracks = [1, 2]): Buffer {
  const blocks = Array.from({ length: CLUSTER_MS / FRAME_MS }, (_, frame) =>
    tracks.map((track) => {
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

describe('parts of a recording', () => {
  it('keep every frame of a part of a browser', async () => {
    const { content, duration, content_type } = await joinAll(null, RECORDED, 0);
    expect(await framesOf(content)).toEqual(await framesOf(RECORDED));
    expect((await framesOf(RECORDED)).length).toBeGreaterThan(20);
    expect(duration).toBeGreaterThan(1400);
    expect(duration).toBeLessThan(1700);
    expect(content_type).toBe('video/webm');
  });

  it('show the frames of a second part after those of the first', async () => {
    const first = await joinAll(null, RECORDED, 0);
    const both = await joinAll(first.content, RECORDED, first.duration);
    const frames = await framesOf(RECORDED);
    const later = frames.map(([time, track, frame]) => [time + first.duration, track, frame]);
    expect(await framesOf(both.content)).toEqual([...frames, ...later]);
    expect(both.duration).toBe(first.duration);
  });

  it.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[1, 3, 0, 2]], [[2, 0, 3, 1]]])(
    'give back a recording that was split at clusters, joined in the order %j',
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
          const result = await joinAll(content, partOf(firsts[n] ?? 0, lengths[n] ?? 0), start);
          joined.set(n, result.duration);
          content = result.content;
        }
        expect([...joined.values()].reduce((sum, duration) => sum + duration, 0)).toBe(total * CLUSTER_MS);
        expect(await framesOf(content ?? END)).toEqual(await framesOf(partOf(0, total)));
      }
    },
  );

  it.each([3_600_000, CLUSTER_MS / 2])(
    'that begin at %d ms are taken as if they began at 0',
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

  it('have a duration and an index, so that players can seek', async () => {
    const first = await joinAll(null, partOf(0, 3), 0);
    const { content } = await joinAll(first.content, partOf(3, 2), 3 * CLUSTER_MS);
    const source = new BufferSource(content);
    const input = new Input({ formats: ALL_FORMATS, source });
    expect(await input.getDurationFromMetadata()).toBe(5);
    const track = await input.getPrimaryVideoTrack();
    const sink = track && new EncodedPacketSink(track);
    for (const seconds of [4.35, 0.1, 2.95]) {
      const found = await sink?.getKeyPacket(seconds);
      expect(found?.timestamp).toBe(Math.floor(seconds * 10) / 10);
    }
    const index = content.subarray(content.lastIndexOf(Buffer.from('1c53bb6b', 'hex')));
    expect(index.toString('latin1').split('\xbb').length - 1).toBeGreaterThanOrEqual(5);
    const position = content.indexOf(Buffer.from('53ab841c53bb6b53ac', 'hex'));
    const segment = content.indexOf(Buffer.from('18538067', 'hex')) + 10;
    expect(segment + content.readUIntBE(position + 10, 5)).toBe(content.length - index.length);
  });

  it('leave out a frame that the closed page did not write to its end, at any byte', async () => {
    const frames = await framesOf(RECORDED);
    for (let length = HEADER.length + 400; length < RECORDED.length; length += 397) {
      const { content } = await joinAll(null, RECORDED.subarray(0, length), 0);
      const kept = await framesOf(content);
      expect(frames).toEqual(expect.arrayContaining(kept));
      // The frame that was cut is the only one of what was written that is missing.
      const bytes = kept.reduce((sum, [, , frame]) => sum + frame.length / 2, 0);
      expect(bytes).toBeGreaterThan(length - HEADER.length - 1300 - 20 * kept.length);
      expect((await joinAll(content, RECORDED, 2000)).content.length).toBeGreaterThan(content.length);
    }
  });

  it.each([
    [
      'a cluster of known size that was cut',
      31,
      Buffer.concat([HEADER, known(clusterAt(0, 0)), known(clusterAt(1000, 1)).subarray(0, -70)]),
    ],
    ['rubbish after the header', 20, Buffer.concat([HEADER, clusterAt(0, 0), Buffer.alloc(64, 0x11)])],
    ['zeros at the end', 20, Buffer.concat([HEADER, clusterAt(0, 0), Buffer.alloc(40_000)])],
    ['a huge frame', 20, Buffer.concat([HEADER, clusterAt(0, 0), Buffer.from('a308ffffffffffff', 'hex')])],
  ])('have all that is readable of %s: %d frames', async (_what, count, part) => {
    const frames = await framesOf(partOf(0, 2));
    expect(await framesOf((await joinAll(null, part, 0)).content)).toEqual(frames.slice(0, count));
  });

  it('have the tracks of the recording, whatever their numbers in the part', async () => {
    const swapped = Buffer.concat([HEADER, clusterAt(0, 0, [1])]);
    const entries = [1, 2].map((number) => swapped.indexOf(Buffer.from([0xd7, 0x81, number])));
    expect(entries).not.toContain(-1);
    for (const at of entries) swapped[at + 2] = 3 - (swapped[at + 2] ?? 0);
    const { content } = await joinAll(Buffer.concat([HEADER, clusterAt(0, 0, [1])]), swapped, CLUSTER_MS);
    const types = (await framesOf(content)).map(([, type]) => type);
    expect([types.slice(0, 10), types.slice(10)]).toEqual([
      Array(10).fill(types[0]),
      Array(10).fill(types[0] === 'video' ? 'audio' : 'video'),
    ]);
  });

  it.each([
    ['nothing', END],
    ['text', Buffer.from('A recording, says the client.'.repeat(10))],
    ['MP4', fixture('call.mp4')],
    ['other tracks', fixture('call-audio.webm')],
    ['sound of another kind', otherSound()],
    ['no frames', HEADER],
    ['no tracks', Buffer.concat([HEADER.subarray(0, HEADER.indexOf('1654ae6b', 'hex')), clusterAt(0, 0)])],
    ['a second file', Buffer.concat([RECORDED, RECORDED])],
    [
      'a gap of centuries',
      Buffer.concat([
        HEADER,
        clusterAt(0, 0),
        Buffer.from('1f43b67501ffffffffffffffe7861f', 'hex'),
        Buffer.alloc(5),
        clusterAt(0, 0).subarray(18),
      ]),
    ],
  ])('are not joined with %s', async (_what, part) => {
    expect(await tryToJoin(RECORDED, part, 2000)).toBeUndefined();
  });

  it('are not joined beyond the longest recording', async () => {
    expect(await tryToJoin(RECORDED, RECORDED, 2000, RECORDED.length)).toBeUndefined();
    expect(statSync(join(folder, 'output')).size).toBeLessThan(2 * RECORDED.length);
  });

  it('are not joined in any amount of memory', async () => {
    const frameBytes = 450 * 1024 * 1024;
    const head = Buffer.from('a301000000000000008103e880', 'hex');
    head.writeUIntBE(4 + frameBytes, 3, 6);
    const start = Buffer.concat([HEADER, clusterAt(0, 0), head]);
    const [part, output] = [join(folder, 'part'), join(folder, 'output')];
    writeFileSync(part, start);
    // Zeros that take no space.
    truncateSync(part, start.length + frameBytes);
    const request = { recording: null, part, start: 0, output, max_bytes: 2 * frameBytes };
    expect(await inspector.joinInTurn(`tenant ${tenants++}`, (join) => join(request))).toBeUndefined();
  });

  it('fail if the system cannot write them', async () => {
    const missing = join(folder, 'missing', 'output');
    writeFileSync(join(folder, 'part'), RECORDED);
    const request = {
      recording: null,
      part: join(folder, 'part'),
      start: 0,
      output: missing,
      max_bytes: MAX_BYTES,
    };
    await expect(inspector.joinInTurn(`tenant ${tenants++}`, (join) => join(request))).rejects.toThrow(
      'ENOENT',
    );
  });
});

/** A cluster with its size. */
function known(cluster: Buffer): Buffer {
  const bytes = Buffer.from(cluster);
  bytes.writeUIntBE(cluster.length - 12, 6, 6);
  bytes.writeUInt16BE(0x0100, 4);
  return bytes;
}

/** The recorded file with another header of its sound. */
function otherSound(): Buffer {
  const bytes = Buffer.from(RECORDED);
  const at = bytes.indexOf('OpusHead');
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt16LE(bytes.readUInt16LE(at + 10) + 1, at + 10);
  return bytes;
}
