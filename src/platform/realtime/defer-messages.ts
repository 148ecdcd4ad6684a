import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Server } from 'socket.io';

/** What is handled of one connection in one turn of the event loop. Its further messages wait for the next turn. */
const MAX_MESSAGES = 4;
const MAX_BYTES = 4096;
/** Messages of all connections in one turn, after which each of them handles one at a time. */
const MAX_MESSAGES_OF_TURN = 1000;

/** Parts of a WebSocket of ws that its types do not declare. */
interface WebSocket {
  /** If false, a message is handled in the next turn of the event loop, and those behind it in later ones. */
  readonly _receiver: { _allowSynchronousEvents: boolean };
  on(event: 'message' | 'ping', listener: (data: { length: number }) => void): this;
}

type Accept = (webSocket: WebSocket, request: IncomingMessage) => void;

type WebSocketEngine = new (options: object) => {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accept: Accept): void;
};

/**
 * Handles only a few small messages of a WebSocket in one turn of the event loop, and then one in each turn. By default
 * all messages that have arrived are handled in the same turn, so that a burst of large ones blocks the loop. Only one
 * message in each turn would be slow, because everything that the messages of a turn send is written together
 * (coalesceWrites). Call it before the server listens.
 */
export function deferMessages(server: Server): void {
  const { opts } = server.engine as unknown as { opts: { wsEngine: WebSocketEngine } };
  const Engine = opts.wsEngine;
  const turn = new Turn();
  opts.wsEngine = class extends Engine {
    override handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accept: Accept): void {
      super.handleUpgrade(request, socket, head, (webSocket, upgraded) => {
        limitMessages(webSocket, turn);
        accept(webSocket, upgraded);
      });
    }
  };
}

/** Counts the turns of the event loop in which messages arrive, and the messages of the current one. */
class Turn {
  number = 0;
  messages = 0;

  add(): void {
    if (this.messages === 0) setImmediate(() => this.end());
    this.messages++;
  }

  private end(): void {
    this.number++;
    this.messages = 0;
  }
}

function limitMessages(webSocket: WebSocket, turn: Turn): void {
  const { _receiver: receiver } = webSocket;
  let isSynchronous = true;
  let latest = turn.number;
  let messages = 0;
  let bytes = 0;
  const count = ({ length }: { length: number }) => {
    if (latest !== turn.number) {
      latest = turn.number;
      messages = 0;
      bytes = 0;
    }
    turn.add();
    messages++;
    bytes += length;
    const hasRoom = messages < MAX_MESSAGES && bytes < MAX_BYTES && turn.messages < MAX_MESSAGES_OF_TURN;
    if (hasRoom === isSynchronous) return;
    isSynchronous = hasRoom;
    Object.assign(receiver, { _allowSynchronousEvents: hasRoom });
  };
  // A ping is answered, so it counts as a message.
  webSocket.on('message', count).on('ping', count);
}
