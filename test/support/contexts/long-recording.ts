import { EncodedPacket, EncodedVideoPacketSource, Output, StreamTarget, WebMOutputFormat } from 'mediabunny';

const PACKET = 64 * 1024;
const PACKETS_A_SECOND = 4;

/** A recording of this many bytes and some, made as it is read: WebM without a duration, as browsers write it. */
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
  for (let index = 0; index * PACKET < bytes; index++) {
    const content = new Uint8Array(PACKET).fill(0x10);
    const packet = new EncodedPacket(content, 'key', index / PACKETS_A_SECOND, 1 / PACKETS_A_SECOND);
    await track.add(packet, index === 0 ? { decoderConfig } : undefined);
  }
  await output.finalize();
}
