import { io, type Socket } from 'socket.io-client';
import type { Channel, ConnectionEvents, SocketOptions } from './socket-types';
import { Emitter, type Unsubscribe } from './emitter';
import { SocketError } from './socket-error';
import { SocketVersions } from './socket-versions';
import { coalesced } from './coalesced';
import { onReturn } from './on-return';
import { retryDelay } from './socket-retry';
import { untilAnswered } from './until-answered';

const ANSWER_TIMEOUT_MS = 4000;
const PROBE_TIMEOUT_MS = 3000;
/** A connection that lasted this long was not refused. */
const STABLE_AFTER_MS = 30_000;

type AnyEvents = Record<string, unknown> & ConnectionEvents;
type Acknowledgement = { ok: true; data?: unknown } | { ok: false; error: { code: string; detail: string } };

export function openSocket(options: SocketOptions): Channel<object, object> {
  return new SocketClient(options) as Channel<object, object>;
}

/** Socket.IO with typed events, acknowledgements as promises, and a snapshot after a missed event. */
class SocketClient extends Emitter<AnyEvents> {
  readonly session: string;
  private readonly socket: Socket;
  /** Several missed events are made up for by one snapshot, or by two if it was under way. */
  readonly resync = coalesced(() =>
    this.emitUntilAnswered('snapshot', () => ({})).then(
      (data) => {
        // Instances of the former release answer without `at`.
        this.receive('snapshot', { at: new Date().toISOString(), ...(data as object) });
        return true;
      },
      // The next connection begins with a snapshot.
      () => false,
    ),
  );
  private readonly versions = new SocketVersions();
  private readonly stopWatching: Unsubscribe;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private refusals = 0;
  private connectedAt = 0;
  private probedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SocketOptions) {
    super();
    this.session = options.session ?? '';
    this.socket = io(options.url ?? location.origin, {
      path: '/socket/websocket',
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      timeout: 4000,
      reconnectionDelay: 500,
      reconnectionDelayMax: 2000,
      auth: (give) => give({ token: options.token(), ...(options.session && { session: options.session }) }),
    });
    this.socket.onAny((event: string, payload: unknown) => this.receive(event, payload));
    this.socket.on('connect', () => this.handleConnect());
    this.socket.on('disconnect', (reason) => this.handleDisconnect(reason));
    this.socket.on('connect_error', (error) => this.handleRefusal(error));
    this.stopWatching = onReturn(() => this.wake());
  }

  get connected(): boolean {
    return this.socket.connected;
  }

  async emit(request: string, payload?: unknown, timeoutMs: number = ANSWER_TIMEOUT_MS): Promise<unknown> {
    if (!this.socket.connected) throw new SocketError('disconnected', 'There is no connection.');
    const answer = (await this.socket
      .timeout(timeoutMs)
      .emitWithAck(request, payload ?? {})
      .catch(() => {
        throw new SocketError('timeout', 'The service did not answer in time.');
      })) as Acknowledgement;
    if (!answer.ok) throw new SocketError(answer.error.code, answer.error.detail);
    return answer.data;
  }

  /** It ends with the connection: the next one begins with what this one did not bring. */
  emitUntilAnswered(request: string, payload: () => unknown): Promise<unknown> {
    const send = (wanted: unknown, timeoutMs: number) => this.emit(request, wanted, timeoutMs);
    return untilAnswered(send, payload, ANSWER_TIMEOUT_MS, (ms) => this.pause(ms));
  }

  /** Waits so long, or until the connection ends. */
  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      // An answer and the end of the connection can arrive together.
      if (!this.socket.connected) return resolve();
      const end = () => {
        clearTimeout(timer);
        stopListening();
        resolve();
      };
      const timer = setTimeout(end, ms);
      const stopListening = this.on('disconnect', end);
    });
  }

  probe(): void {
    if (!this.socket.connected || Date.now() - this.probedAt < PROBE_TIMEOUT_MS) return;
    this.probedAt = Date.now();
    this.socket
      .timeout(PROBE_TIMEOUT_MS)
      .emitWithAck('snapshot', {})
      .catch(() => {
        if (this.socket.connected) this.reconnect();
      });
  }

  reconnect(): void {
    clearTimeout(this.retryTimer);
    // Socket.IO has no other way to cut the wait before its next attempt short.
    this.socket.disconnect().connect();
  }

  close(): void {
    clearTimeout(this.retryTimer);
    this.stopWatching();
    this.socket.disconnect();
    this.removeListeners();
  }

  private wake(): void {
    if (this.socket.connected) this.probe();
    else if (this.socket.active) this.reconnect();
  }

  private receive(event: string, payload: unknown): void {
    const message = payload as { call_id?: string; version?: number };
    if (event === 'snapshot') {
      this.versions.clear();
      if (message.call_id !== undefined) this.versions.reset(message.call_id, message.version ?? 0);
    } else {
      const verdict = this.versions.check(event, message);
      if (verdict === 'ignore') return;
      if (verdict === 'deliver_and_resync') this.resync();
    }
    this.send(event, payload);
  }

  private handleConnect(): void {
    this.connectedAt = Date.now();
    this.send('connect', { recovered: this.socket.recovered });
  }

  private handleDisconnect(reason: string): void {
    if (Date.now() - this.connectedAt > STABLE_AFTER_MS) this.refusals = 0;
    this.send('disconnect', { reason });
    // Socket.IO does not reconnect after the service has disconnected. If the next handshake is refused, it says why.
    if (reason === 'io server disconnect') this.retryLater();
  }

  private handleRefusal(error: Error & { data?: { code?: string; detail?: string } }): void {
    const code = error.data?.code ?? 'network';
    const retrying = this.socket.active || code === 'unavailable';
    if (retrying && !this.socket.active) this.retryLater();
    this.send('connect_error', { code, detail: error.data?.detail ?? error.message, retrying });
  }

  private retryLater(): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.socket.connect(), retryDelay(this.refusals++));
  }
}
