import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { MediaInspector } from '../../../src/recordings/media-inspector';

const MIB = 1024 * 1024;
const FRAMES = 256;
/** OpusHead of one channel at 48 kHz. */
const OPUS = Uint8Array.from([...Buffer.from('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]);

let folder: string;

beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'join-memory-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** A recording with a frame of 1 MiB a second, whose sound ends after a few seconds. */
async function record(path: string): Promise<void> {
  const output = new Output({
    format: new WebMOutputFormat({ appendOnly: true }),
    target: new FilePathTarget(path, { chunkSize: MIB }),
  });
  const [picture, sound] = [new EncodedVideoPacketSource('vp8'), new EncodedAudioPacketSource('opus')];
  output.addVideoTrack(picture, { decoderConfig: { codec: 'vp8', codedWidth: 320, codedHeight: 240 } });
  output.addAudioTrack(sound, {
    decoderConfig: { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000, description: OPUS },
  });
  await output.start();
  const content = new Uint8Array(MIB).fill(0x10);
  for (let second = 0; second < FRAMES; second++) {
    await picture.add(new EncodedPacket(content, 'key', second, 1));
    if (second < 5) await sound.add(new EncodedPacket(content.subarray(0, 100), 'key', second, 1));
    if (second === 5) sound.close();
  }
  await output.finalize();
}

it('a part of 256 MiB, whose sound ends early, is not held in memory', async () => {
  const paths = { part: join(folder, 'part'), output: join(folder, 'output') };
  await record(paths.part);
  let worker: ChildProcess | undefined;
  const started = (message: unknown) => (worker = (message as { process: ChildProcess }).process);
  subscribe('child_process', started);
  const inspector = new MediaInspector(1);
  const request = { ...paths, recording: null, start: 0, max_bytes: 1024 * MIB };
  expect(await inspector.joinInTurn('tenant', (join) => join(request))).toEqual({
    content_type: 'video/webm',
    duration: FRAMES * 1000,
  });
  unsubscribe('child_process', started);
  expect(statSync(paths.output).size).toBeGreaterThan(FRAMES * MIB);
  const status = readFileSync(`/proc/${worker?.pid}/status`, 'utf8');
  expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024).toBeLessThan(320 * MIB);
});
