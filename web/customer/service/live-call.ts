import { signal } from '@preact/signals';
import { type CustomerSocket, connectSocket, type SocketError } from '../../shared/socket';
import { spread } from '../../shared/socket-retry';
import type { SocketEventName } from '../state/server.types';
import type { Moment, PageEvent } from '../state/state.types';
import { ChatLog } from './chat-log';

/** The events that change the state of the page. */
const STATE_EVENTS = [
  'queue_position',
  'queue_closing',
  'callback_changed',
  'call_assigned',
  'call_requeued',
  'call_started',
  'call_transferred',
  'call_ended',
  'peer_disconnected',
  'peer_reconnected',
  'recording_state',
] as const satisfies SocketEventName[];

/** What keeps the service from answering only for a while. */
const PASSING = new Set(['disconnected', 'timeout', 'rate_limited', 'unavailable']);
const RETRY_MS = 250;

export interface LiveCallOptions {
  token: () => string;
  session: string;
  absenceSeconds: number;
  newId: () => string;
  /** Keeps over a reload which messages were read. */
  memory?: { lastRead?: string | undefined };
  connect?: typeof connectSocket;
}

/** The socket of the customer's call, while there is one. */
export class LiveCall {
  readonly connection = signal<'closed' | 'up' | 'down'>('closed');
  /** Device time since which there has been no connection; null with one. */
  readonly offlineSince = signal<number | null>(null);
  readonly chat: ChatLog;
  onEvent: (event: PageEvent) => void = () => undefined;
  /** The service refuses the token. */
  onRefused: () => void = () => undefined;
  /** The token will not be good for much longer. */
  onExpiring: () => void = () => undefined;
  /** Another tab or load of the page holds the call now. */
  onTakenOver: () => void = () => undefined;
  private current: CustomerSocket | null = null;
  /** Whether the service knows that this load of the page holds the call. */
  private isHolder = false;
  /** How long the connection had been lost before the present one, until its first snapshot. */
  private offlineMs = 0;

  constructor(private readonly options: LiveCallOptions) {
    this.chat = new ChatLog(
      (message) => this.required().emit('chat_message', message),
      options.newId,
      options.memory,
    );
  }

  get socket(): CustomerSocket | null {
    return this.current;
  }

  get session(): string {
    return this.options.session;
  }

  moment(): Moment {
    const { absenceSeconds } = this.options;
    return { now: Date.now(), offlineMs: this.offlineMs, absenceMs: absenceSeconds * 1000 };
  }

  open(): void {
    const { connect = connectSocket, token, session } = this.options;
    if (this.current) {
      // With the token that the service has just given. If the request fails, the next connection has it.
      if (!this.current.connected) this.current.reconnect();
      else void this.current.emit('authenticate', { token: token() }).catch(() => undefined);
      return;
    }
    const socket = connect({ token, session });
    this.current = socket;
    this.goOffline();
    socket.on('connect', () => this.goOnline());
    socket.on('disconnect', () => this.goOffline());
    socket.on('connect_error', ({ code, retrying }) => this.refused(code, retrying));
    socket.on('token_expiring', () => this.onExpiring());
    socket.on('taken_over', ({ session }) => {
      if (session === undefined) this.onEvent({ type: 'other_device' });
      else this.lostTo(session);
    });
    socket.on('chat_message', (message) => this.chat.take(message));
    socket.on('snapshot', (snapshot) => {
      if (snapshot.chat_messages) this.chat.takeSnapshot(snapshot.chat_messages);
      this.onEvent({ type: 'snapshot', snapshot });
      this.offlineMs = 0;
    });
    for (const name of STATE_EVENTS) {
      socket.on(name, (payload) => this.onEvent({ type: 'socket', name, payload } as PageEvent));
    }
  }

  /**
   * Tells the service that this load of the page holds the call, as soon as there is a connection: until then the page that
   * held it before gets the signals. Does nothing more when the service refuses.
   * @param signal ends the attempts
   */
  async takeOver(signal: AbortSignal): Promise<void> {
    while (this.current && !signal.aborted) {
      try {
        await this.current.emit('take_over');
        this.isHolder = true;
        return;
      } catch (error) {
        if (!PASSING.has((error as SocketError).code)) return;
        await new Promise((resolve) => setTimeout(resolve, spread(RETRY_MS)));
      }
    }
  }

  close(): void {
    this.isHolder = false;
    this.current?.close();
    this.current = null;
    this.connection.value = 'closed';
    this.offlineSince.value = null;
    this.offlineMs = 0;
    this.chat.clear();
  }

  /** A page that has just been loaded also hears of its own former load: it decides with the other tabs. */
  private lostTo(session: string): void {
    if (!this.isHolder || session === this.session) return;
    this.isHolder = false;
    this.onTakenOver();
  }

  private goOnline(): void {
    this.offlineMs = Date.now() - (this.offlineSince.value ?? Date.now());
    this.offlineSince.value = null;
    this.connection.value = 'up';
  }

  private goOffline(): void {
    this.offlineSince.value ??= Date.now();
    this.connection.value = 'down';
  }

  private refused(code: string, retrying: boolean): void {
    if (code === 'taken_over') this.onEvent({ type: 'other_device' });
    else if (!retrying) this.onRefused();
  }

  private required(): CustomerSocket {
    if (!this.current) throw new Error('There is no connection');
    return this.current;
  }
}
