import type { Server, Socket } from 'socket.io';

/** A packet of Engine.IO; see `ws` for the frame, a list of buffers. */
interface EnginePacket {
  type: string;
  data?: unknown;
  options: { compress?: boolean; wsPreEncodedFrame?: Buffer[] | undefined };
}

/** The type of Engine.IO packets with a message. */
const MESSAGE = '4';

/** The last fragment of a text (RFC 6455, 5.2), unmasked and uncompressed. */
const TEXT_FRAME = 0x81;
/** The largest length that the second byte of a frame holds; longer texts have theirs in the next two bytes, or eight. */
const MAX_SHORT_LENGTH = 125;
const TWO_LENGTH_BYTES = 126;
/** Longer texts are left to ws: for them, a second buffer costs little. */
const MAX_LENGTH = 4096;

/**
 * Encodes the small messages of WebSockets as one buffer each. ws makes two of them, the header and the text, and writes
 * both, which takes more objects and a more expensive system call.
 */
export function frameMessages(server: Server): void {
  server.engine.on('connection', (connection: Socket['conn']) => connection.on('packetCreate', frame));
}

/** One function for all connections, which it gets as `this`. */
function frame(this: Socket['conn'], packet: EnginePacket): void {
  const { type, data, options } = packet;
  if (type !== 'message' || typeof data !== 'string' || options.wsPreEncodedFrame) return;
  if (data.length >= MAX_LENGTH || this.transport.name !== 'websocket') return;
  packet.options = { compress: false, wsPreEncodedFrame: [textFrame(MESSAGE + data)] };
}

/** @returns the frame of a text of at most 64 KiB in one buffer */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const isShort = length <= MAX_SHORT_LENGTH;
  const headerLength = isShort ? 2 : 4;
  const buffer = Buffer.allocUnsafe(headerLength + length);
  buffer[0] = TEXT_FRAME;
  buffer[1] = isShort ? length : TWO_LENGTH_BYTES;
  if (!isShort) buffer.writeUInt16BE(length, 2);
  buffer.write(text, headerLength);
  return buffer;
}
