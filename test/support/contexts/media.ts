import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

/** Video with one packet of the given size in each `interval` of seconds, from second `begin` on. */
export async function video(
  format: OutputFormat,
  packets: number,
  bytes = 1000,
  begin = 0,
  interval = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const isWebM = format instanceof WebMOutputFormat;
  const decoderConfig = isWebM
    ? { codec: 'vp8', codedWidth: 320, codedHeight: 240 }
    : { codec: 'avc1.42001f', codedWidth: 320, codedHeight: 240, description: AVC };
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const track = new EncodedVideoPacketSource(isWebM ? 'vp8' : 'avc');
  output.addVideoTrack(track);
  await output.start();
  for (let frame = 0; frame < packets; frame++) {
    const time = begin + frame * interval;
    const packet = new EncodedPacket(new Uint8Array(bytes).fill(0x10), 'key', time, interval);
    await track.add(packet, frame === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

const AVC = Uint8Array.from([1, 0x42, 0, 0x1f, 0xff, 0xe1, 0, 4, 0x67, 0x42, 0, 0x1f, 1, 0, 2, 0x68, 0xce]);

/** OpusHead of one channel at 48 kHz. */
const OPUS = Uint8Array.from([...Buffer.from('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]);

/** Opus audio of so many seconds, from second `begin` on. */
export async function oggAudio(seconds: number, begin: number): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const track = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(track);
  await output.start();
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000, description: OPUS };
  for (let frame = 0; frame < seconds * 50; frame++) {
    const packet = new EncodedPacket(Uint8Array.of(0x78, 1), 'key', begin + frame * 0.02, 0.02);
    await track.add(packet, frame === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}
