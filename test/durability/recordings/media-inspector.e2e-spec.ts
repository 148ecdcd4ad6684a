import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mp4OutputFormat, type OutputFormat, WebMOutputFormat } from 'mediabunny';
import type { ReadBytes } from '../../../src/recordings/inspection-process';
import {
  INSPECTION_LIMITS,
  InspectionPausedError,
  MediaInspector,
} from '../../../src/recordings/media-inspector';
import { oggAudio, video } from '../../support/contexts/media';
import { until } from '../../support/until';

const fixture = (name: string): Buffer => readFileSync(join(__dirname, '..', '..', 'fixtures', name));

/** A file in memory that counts reads and read bytes. */
function source(content: Uint8Array) {
  const read = { count: 0, bytes: 0 };
  const readBytes: ReadBytes = async (start, end) => {
    read.count += 1;
    read.bytes += end - start + 1;
    return content.subarray(start, end + 1);
  };
  return { read, readBytes };
}

/** Longer than any test takes, on a busy machine, too. */
const KEEP_PROCESS_MS = 300_000;

const inspector = new MediaInspector(1, KEEP_PROCESS_MS);
/** Each file is of another tenant, since a tenant waits after a malformed one. */
let tenants = 0;

/** Those of the service, but for a machine on which a process gets no processor for seconds. */
const PATIENT_LIMITS = { ...INSPECTION_LIMITS, silenceMs: 20_000 };

const inspectMedia = async (read: ReadBytes, size: number, type: string, limits = PATIENT_LIMITS) =>
  (await inspector.inspectBriefly(`tenant ${tenants++}`, { read, size, type }, limits)).info;

const inspect = (content: Uint8Array, type = 'video/webm', limits = PATIENT_LIMITS) =>
  inspectMedia(source(content).readBytes, content.length, type, limits);

describe('a recording of a browser', () => {
  it.each([
    ['call.webm', 'video/webm', 'video/webm', 2],
    ['call-audio.webm', 'video/webm', 'audio/webm', 2],
    ['call.mp4', 'video/mp4', 'video/mp4', 1],
  ])('%s', async (name, type, content_type, duration) => {
    expect(await inspect(fixture(name), type)).toEqual({ content_type, duration });
  });
});

describe('a file of other software', () => {
  const formats: [string, string, OutputFormat][] = [
    ['WebM with a duration', 'video/webm', new WebMOutputFormat()],
    ['WebM without a duration', 'video/webm', new WebMOutputFormat({ appendOnly: true })],
    ['MP4 with its index at the start', 'video/mp4', new Mp4OutputFormat({ fastStart: 'in-memory' })],
    ['MP4 with its index at the end', 'video/mp4', new Mp4OutputFormat({ fastStart: false })],
    ['MP4 in fragments', 'video/mp4', new Mp4OutputFormat({ fastStart: 'fragmented' })],
  ];

  it.each(formats)('%s', async (_what, content_type, format) => {
    expect(await inspect(await video(format, 95), content_type)).toEqual({ content_type, duration: 95 });
  });

  it.each(formats)(
    'is as long as its content if it begins at an hour: %s',
    async (_what, content_type, format) => {
      const content = await video(format, 8, 1000, 3600);
      expect(await inspect(content, content_type)).toEqual({ content_type, duration: 8 });
    },
  );

  it('does not take an interruption for the length of the last frame', async () => {
    const content = await video(new WebMOutputFormat({ appendOnly: true }), 2, 1000, 0, 30);
    expect((await inspect(content)).duration).toBe(30);
  });

  it('is as long as its content if it begins at an hour: Ogg', async () => {
    const content = await oggAudio(8, 3600);
    expect(await inspect(content, 'audio/ogg')).toEqual({ content_type: 'audio/ogg', duration: 8 });
  });

  it('is not read completely if it has a duration', async () => {
    const content = await video(new Mp4OutputFormat({ fastStart: false }), 100, 200_000);
    const { read, readBytes } = source(content);
    expect((await inspectMedia(readBytes, content.length, 'video/mp4')).duration).toBe(100);
    expect(read.bytes).toBeLessThan(content.length / 4);
  });
});

it('one process inspects file after file, until one is malformed', async () => {
  await inspect(fixture('call.webm'));
  let processes = 0;
  const count = () => processes++;
  subscribe('child_process', count);
  await Promise.all([inspect(fixture('call.webm')), inspect(fixture('call.mp4'), 'video/mp4')]);
  expect(processes).toBe(0);
  await inspect(Buffer.alloc(1000));
  expect((await inspect(fixture('call.webm'))).duration).toBe(2);
  expect(processes).toBe(1);
  unsubscribe('child_process', count);
});

it('a tenant whose file ended a process does not end the one that another tenant used', async () => {
  const separate = new MediaInspector(2, KEEP_PROCESS_MS);
  const inspectFor = (tenant: string, content: Buffer) =>
    separate.inspectBriefly(tenant, {
      read: source(content).readBytes,
      size: content.length,
      type: 'video/webm',
    });
  await inspectFor('malicious', Buffer.alloc(1000));
  await inspectFor('other', fixture('call.webm'));
  await inspectFor('malicious', Buffer.alloc(1000));
  let processes = 0;
  const count = () => processes++;
  subscribe('child_process', count);
  expect((await inspectFor('other', fixture('call.webm'))).info.duration).toBe(2);
  expect(processes).toBe(0);
  unsubscribe('child_process', count);
});

describe('a malformed file', () => {
  const none = { content_type: 'audio/x-made-up', duration: null };

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(100_000)],
    ['text', Buffer.from('not a recording')],
    ['a truncated header', fixture('call.webm').subarray(0, 30)],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:5,\nhttp://127.0.0.1:1/other.ts\n#EXT-X-ENDLIST\n')],
  ])('%s keeps its type and has no duration', async (_what, content) => {
    expect(await inspect(content, 'audio/x-made-up')).toEqual(none);
  });

  it('a truncated file has the duration of what is left', async () => {
    const whole = await video(new WebMOutputFormat({ appendOnly: true }), 60);
    const half = await inspect(whole.subarray(0, whole.length / 2));
    expect(half.content_type).toBe('video/webm');
    expect(half.duration).toBeGreaterThan(25);
    expect(half.duration).toBeLessThan(35);
  });

  it('an MP4 without its index has no duration', async () => {
    const whole = await video(new Mp4OutputFormat({ fastStart: false }), 60);
    const { duration } = await inspect(whole.subarray(0, whole.length / 2), 'video/mp4');
    expect(duration).toBeNull();
  });

  it.each([
    ['a table of 4 billion sizes', mp4({ times: times(3), sizes: full('stsz', u32(0), u32(4e9), u32(1)) })],
    ['a table of 4 billion times', mp4({ times: full('stts', u32(4e9), u32(3), u32(10)) })],
    ['a length of a year', mp4({ times: times(4e9) })],
    ['4 billion samples to reorder', mp4({ times: times(4e9), order: full('ctts', u32(1), u32(1), u32(5)) })],
    [
      'a box that is larger than the file',
      Buffer.concat([mp4({ times: times(3) }).subarray(0, 24), u32(0x7fffffff), Buffer.from('moov')]),
    ],
  ])('an MP4 that claims %s does no harm', async (_what, content) => {
    const { duration } = await inspect(content, 'audio/mp4');
    expect(duration).toBeNull();
    // The next inspection works.
    expect((await inspect(fixture('call.webm'))).duration).toBe(2);
  });

  it('zeros at the end of a WebM, which send a parser into an endless loop, do no harm', async () => {
    const content = Buffer.concat([fixture('call.webm'), Buffer.alloc(40_000)]);
    const limits = { ...INSPECTION_LIMITS, silenceMs: 2000 };
    const [media, other] = await Promise.all([
      inspect(content, 'video/webm', limits),
      inspect(fixture('call.mp4'), 'video/mp4'),
    ]);
    expect(media).toEqual({ content_type: 'video/webm', duration: null });
    expect(other.duration).toBe(1);
  });

  it('has no duration if reading fails', async () => {
    expect(
      await inspectMedia(() => Promise.reject(new Error('the disk is gone')), 1_000_000, 'audio/x-made-up'),
    ).toEqual(none);
  });

  it('keeps its detected type if reading fails later', async () => {
    const whole = await video(new WebMOutputFormat({ appendOnly: true }), 60, 100_000);
    const readBytes: ReadBytes = async (start, end) => {
      if (end > whole.length / 2) throw new Error('the disk is gone');
      return whole.subarray(start, end + 1);
    };
    expect(await inspectMedia(readBytes, whole.length, 'video/x-made-up')).toEqual({
      content_type: 'video/webm',
      duration: null,
    });
  });

  it('is read up to 64 MiB if it has no duration', async () => {
    const start = await video(new WebMOutputFormat({ appendOnly: true }), 1, 1_000_000);
    const { read, readBytes } = source(start);
    const size = 2 * 1024 ** 3;
    const endless: ReadBytes = async (from, to) => {
      await readBytes(from, to);
      return start.length > to ? start.subarray(from, to + 1) : new Uint8Array(to - from + 1).fill(0x42);
    };
    expect((await inspectMedia(endless, size, 'video/webm')).duration).toBeNull();
    expect(read.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  });
});

describe('an inspection that cannot begin or be completed', () => {
  const { signal } = new AbortController();
  const { size, type, read } = {
    size: fixture('call.webm').length,
    type: 'video/webm',
    read: source(fixture('call.webm')).readBytes,
  };

  it('throws at once while the tenant is paused, and works afterwards', async () => {
    const paused = new MediaInspector(1);
    const endless = Buffer.concat([fixture('call.webm'), Buffer.alloc(40_000)]);
    const limits = { ...INSPECTION_LIMITS, silenceMs: 2000 };
    const { readBytes } = source(endless);
    const info = await paused.inspect('a', { read: readBytes, size: endless.length, type }, signal, limits);
    expect(info.duration).toBeNull();
    const begin = performance.now();
    await expect(paused.inspect('a', { read, size, type }, signal)).rejects.toThrow(InspectionPausedError);
    expect((await paused.inspect('b', { read, size, type }, signal)).duration).toBe(2);
    // The pause takes at least 10 s.
    expect(performance.now() - begin).toBeLessThan(9000);
    const next = () => paused.inspect('a', { read, size, type }, signal).catch(() => undefined);
    expect(await until(next)).toEqual({ content_type: 'video/webm', duration: 2 });
  });

  it('does not pause the tenant for the time in which its process got no processor', async () => {
    const patient = new MediaInspector(1);
    const limits = { ...INSPECTION_LIMITS, silenceMs: 1000 };
    // Once started, the process only waits for the content.
    await patient.inspect('a', { read, size, type }, signal);
    const stuck = { read: () => new Promise<never>(() => {}), size, type };
    const begin = performance.now();
    await patient.inspect('a', stuck, signal, limits);
    // The silence was excused five times, since a process that waits for content uses no processor.
    const tookMs = performance.now() - begin;
    expect(tookMs).toBeGreaterThan(5 * limits.silenceMs);
    const next = () => patient.inspect('a', { read, size, type }, signal).catch(() => undefined);
    expect(await until(next)).toEqual({ content_type: 'video/webm', duration: 2 });
    expect(performance.now() - begin).toBeLessThan(4 * tookMs);
  });

  it('throws if the file cannot be read, and is not complete for a response', async () => {
    const unreadable = { read: () => Promise.reject(new Error('the disk is gone')), size: 1_000_000, type };
    await expect(inspector.inspect(`tenant ${tenants++}`, unreadable, signal)).rejects.toThrow('not be read');
    const brief = await inspector.inspectBriefly(`tenant ${tenants++}`, unreadable);
    expect(brief).toEqual({ info: { content_type: type, duration: null }, isComplete: false });
  });

  it('throws if no process can be started, and is not complete for a response', async () => {
    const failing = new MediaInspector(2, undefined, '/nonexistent/node');
    await expect(failing.inspect('a', { read, size, type }, signal)).rejects.toThrow('ENOENT');
    const brief = await failing.inspectBriefly('b', { read, size, type });
    expect(brief).toEqual({ info: { content_type: type, duration: null }, isComplete: false });
  });
});

/** Boxes of ISO/IEC 14496-12. */
function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

function full(type: string, ...content: Buffer[]): Buffer {
  return box(type, u32(0), ...content);
}

function times(samples: number): Buffer {
  return full('stts', u32(1), u32(samples), u32(10));
}

/** A small MP4 with an audio track and the given tables, valid or not. */
function mp4(tables: { times: Buffer; sizes?: Buffer; order?: Buffer }): Buffer {
  const none = Buffer.alloc(0);
  const decoder = Buffer.from('031900010004114015000000000000000000000005021210060102', 'hex');
  const sound = box(
    'mp4a',
    Buffer.from('000000000000000100000000000000000002001000000000ac440000', 'hex'),
    full('esds', decoder),
  );
  const { times: when, sizes = full('stsz', u32(1), u32(4e9)), order = none } = tables;
  const index = [full('stsc', u32(1), u32(1), u32(1), u32(1)), sizes, full('stco', u32(1), u32(40))];
  const samples = box('stbl', full('stsd', u32(1), sound), when, order, ...index);
  const media = box(
    'mdia',
    full('mdhd', u32(0), u32(0), u32(1000), u32(1000), u32(0)),
    full('hdlr', u32(0), Buffer.from('soun'), Buffer.alloc(13)),
    box('minf', full('smhd', u32(0)), samples),
  );
  const track = box('trak', full('tkhd', u32(0), u32(0), u32(1), u32(0), u32(1000), Buffer.alloc(60)), media);
  const movie = full('mvhd', u32(0), u32(0), u32(1000), u32(1000), Buffer.alloc(80));
  return Buffer.concat([
    box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isommp42')),
    box('moov', movie, track),
    box('mdat', Buffer.alloc(100)),
  ]);
}
