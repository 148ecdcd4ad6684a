// A small Socket.IO client for load: the official one costs several times as much CPU, which the service under test would
// lack.
import { WebSocket } from 'ws';

/** The texts with which packets of Engine.IO and Socket.IO begin. */
const PACKET = { open: '0', ping: '2', pong: '3', connect: '40', refused: '44', event: '42["' };

/** @returns the first argument of an event */
export const payloadOf = (packet) => JSON.parse(packet.slice(packet.indexOf('[')))[1];

/** A socket of a customer or an agent, which passes on the events that it receives. */
export class SocketClient {
  #url;
  #token;
  #onEvent;
  #socket;

  /**
   * @param url of the server, http
   * @param onEvent is called with the name of each event and its packet, of which payloadOf reads the payload
   */
  constructor(url, token, onEvent) {
    this.#url = `${url.replace(/^http/, 'ws')}/socket/websocket/?EIO=4&transport=websocket`;
    this.#token = token;
    this.#onEvent = onEvent;
  }

  /** Connects. @returns a promise of the end of the connection, also if it could not be established */
  open() {
    const socket = new WebSocket(this.#url, { perMessageDeflate: false });
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(socket, Buffer.from(data).toString()));
    return new Promise((resolve) => {
      // A failed connection emits 'close', too.
      socket.on('error', () => {});
      socket.on('close', resolve);
    });
  }

  close() {
    this.#socket.close();
  }

  #receive(socket, packet) {
    if (packet.startsWith(PACKET.event)) {
      this.#onEvent(packet.slice(PACKET.event.length, packet.indexOf('"', PACKET.event.length)), packet);
    } else if (packet === PACKET.ping) {
      socket.send(PACKET.pong);
    } else if (packet.startsWith(PACKET.refused)) {
      // The token could not be checked; the owner connects again after a moment.
      if (!packet.includes('"unavailable"')) throw new Error(packet);
      socket.close();
    } else if (packet.startsWith(PACKET.open)) {
      socket.send(`${PACKET.connect}${JSON.stringify({ token: this.#token })}`);
    }
  }
}
