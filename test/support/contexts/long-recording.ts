import { EncodedPacket, EncodedVideoPacketSource, Output, StreamTarget, WebMOutputFormat } from 'mediabunny';

const PACKET_BYTES = 64 * 1024;
const PACKETS_PER_SECOND = 4;

/** A recording of at least `bytes` bytes, generated while it is read: WebM without a duration, as browsers write it. */
export function longRecording(bytes: number): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<{ data: Uint8Array }, Uint8Array>({
    transform: ({ data }, controller) => controller.enqueue(data),
  });
  void record(writable, bytes).catch(() => {});
  return readable;
}

async function record(writable: WritableStream<{ data: Uint8Array }>, bytes: number): Promise<void> {
  const format = new WebMOutputFormat({ appendOnly: true });
  const output = new Output({ format, target: new StreamTarget(writable) });
  const track = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(track);
  await output.start();
  const decoderConfig = { codec: 'vp8', codedWidth: 320, codedHeight: 240 };
  for (let index = 0; index * PACKET_BYTES < bytes; index++) {
    const content = new Uint8Array(PACKET_BYTES).fill(0x10);
    const packet = new EncodedPacket(content, 'key', index / PACKETS_PER_SECOND, 1 / PACKETS_PER_SECOND);
    await track.add(packet, index === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
}
