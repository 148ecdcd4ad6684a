// A Socket.IO client that parses only the heads of packets: socket.io-client costs more CPU than the servers under test.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

const EVENT = '2'.charCodeAt(0);
const ACK = '3'.charCodeAt(0);
const PING = '2'.charCodeAt(0);
const MESSAGE = '4'.charCodeAt(0);

/** A text frame of a client (RFC 6455, 5.2), masked with zeros, which leave the text as it is. */
export function textFrame(text) {
  const payload = Buffer.from(text);
  if (payload.length > 0xffff) throw new Error('The frame is too large');
  const head = Buffer.alloc(payload.length < 126 ? 6 : 8);
  head[0] = 0x81;
  head[1] = 0x80 | (payload.length < 126 ? payload.length : 126);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

const PONG = textFrame('3');

/** An open connection. `onEvent(name)` and `onAck(text)` are called for each packet; set them before they are needed. */
export class RawSocket {
  onEvent = () => {};
  onAck = () => {};
  #socket;
  #rest = Buffer.alloc(0);

  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
  }

  /** Connects and authenticates. Resolves with the first event, which is the snapshot. */
  static async connect(url, path, auth) {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${path}/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    const rest = await upgraded(socket);
    const raw = new RawSocket(socket);
    const ready = new Promise((resolve, reject) => {
      raw.onEvent = resolve;
      socket.once('close', () => reject(new Error(`${url} closed the connection`)));
      socket.once('error', reject);
    });
    raw.write(textFrame(`40${JSON.stringify(auth)}`));
    if (rest.length > 0) raw.#read(rest);
    await ready;
    return raw;
  }

  write(frame) {
    this.#socket.write(frame);
  }

  /** Sends an event. @returns the text of its acknowledgement */
  send(name, payload) {
    return new Promise((resolve) => {
      this.onAck = resolve;
      this.write(eventFrame(name, payload));
    });
  }

  close() {
    this.#socket.destroy();
  }

  #read(chunk) {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (at + 2 <= data.length) {
      const short = data[at + 1];
      if (short === 127) throw new Error('The frame is too large');
      const start = at + (short === 126 ? 4 : 2);
      if (start > data.length) break;
      const end = start + (short === 126 ? data.readUInt16BE(at + 2) : short);
      if (end > data.length) break;
      this.#receive(data, start, end);
      at = end;
    }
    this.#rest = data.subarray(at);
  }

  #receive(data, start, end) {
    if (data[start] === PING) this.write(PONG);
    if (data[start] !== MESSAGE) return;
    // 42["name",…] and 43id[…]
    if (data[start + 1] === EVENT) this.onEvent(data.latin1Slice(start + 4, data.indexOf(0x22, start + 4)));
    else if (data[start + 1] === ACK) this.onAck(data.latin1Slice(start + 2, end));
  }
}

/** An event that requests an acknowledgement. All events have the same id, because each waits for the one before. */
export const eventFrame = (name, payload) => textFrame(`420${JSON.stringify([name, payload])}`);

/** As eventFrame, without an acknowledgement. */
export const silentFrame = (name, payload) => textFrame(`42${JSON.stringify([name, payload])}`);

/** Waits for the end of the response. @returns what follows it */
function upgraded(socket) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const read = (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', read).off('error', reject);
      if (received.subarray(0, 12).toString() !== 'HTTP/1.1 101')
        return reject(new Error(received.toString()));
      resolve(received.subarray(end + 4));
    };
    socket.on('data', read).on('error', reject);
  });
}
