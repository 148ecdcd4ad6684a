import { io, type Socket } from 'socket.io-client';
import type { Json } from '../http/api';
import { until } from '../until';

/** Only to end a test that would wait forever: a busy machine can be ten times slower. */
const ACK_TIMEOUT_MS = 30_000;

/** A Socket.IO client that records all received events in order. */
export class TestSocket {
  readonly received: { event: string; payload: Json }[] = [];

  private constructor(readonly io: Socket) {
    io.onAny((event: string, payload: Json) => this.received.push({ event, payload }));
  }

  /**
   * Connects and waits for the first snapshot; until then it connects again, as clients do, when too many sockets of the
   * user connect. @throws the connect_error
   */
  static async connect(url: string, token: string, options: object = {}): Promise<TestSocket> {
    const socket = TestSocket.open(url, token, { reconnection: true, reconnectionDelay: 200, ...options });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.io.once('snapshot', () => resolve());
        socket.io.once('connect_error', reject);
      });
    } catch (error) {
      // It would go on connecting, and the run of the tests would not end.
      socket.close();
      throw error;
    }
    socket.io.io.reconnection(false);
    return socket;
  }

  /** Connects without waiting. */
  static open(url: string, token: string, options: object = {}): TestSocket {
    const client = io(url, {
      path: '/socket/websocket',
      transports: ['websocket'],
      auth: { token },
      forceNew: true,
      reconnection: false,
      ...options,
    });
    return new TestSocket(client);
  }

  /** Sends an event. @returns its acknowledgement. @throws Error if none arrives in time */
  async send(event: string, payload?: unknown): Promise<Json> {
    try {
      return await this.sendOnce(event, payload);
    } catch (error) {
      throw new Error(`${event} was not acknowledged: ${String(error)}`, { cause: error });
    }
  }

  private sendOnce(event: string, payload?: unknown): Promise<Json> {
    return payload === undefined
      ? this.io.timeout(ACK_TIMEOUT_MS).emitWithAck(event)
      : this.io.timeout(ACK_TIMEOUT_MS).emitWithAck(event, payload);
  }

  /** The payloads of all received events with that name. */
  all(event: string): Json[] {
    return this.received.filter((item) => item.event === event).map((item) => item.payload);
  }

  /** Waits for an event with that name and a matching payload. @returns its payload */
  async waitFor(event: string, matches: (payload: Json) => boolean = () => true): Promise<Json> {
    return until(
      () => this.all(event).find(matches),
      () => `no ${event} among ${this.received.map((item) => item.event).join(', ')}`,
    );
  }

  close(): void {
    this.io.disconnect();
  }
}
