import type { Unsubscribe } from './emitter';
import type { CallEvents, CustomerEvents, StaffEvents } from './socket-events';
import type { CallRequests, CustomerRequests, StaffRequests } from './socket-requests';

export interface ConnectionProblem {
  /** Of the service (docs/realtime.md), or `network` when it was not reached. */
  code: string;
  detail: string;
  /** False when only the page can help, for example with a new token and `reconnect()`. */
  retrying: boolean;
}

/** Events of the connection itself. */
export interface ConnectionEvents {
  connect: { recovered: boolean };
  disconnect: { reason: string };
  connect_error: ConnectionProblem;
}

type Payload<Request> = Request extends [infer P, unknown] ? P : never;
type Answer<Request> = Request extends [unknown, infer A] ? A : never;
type Arguments<Request> = Payload<Request> extends undefined ? [] : [payload: Payload<Request>];

export interface Channel<Events, Requests> {
  readonly session: string;
  readonly connected: boolean;
  on<E extends keyof (Events & ConnectionEvents)>(
    event: E,
    listener: (payload: (Events & ConnectionEvents)[E]) => void,
  ): Unsubscribe;
  /** Resolves with the data of the acknowledgement; rejects with a SocketError, after 4 s with the code `timeout`. */
  emit<R extends keyof Requests>(
    request: R,
    ...payload: Arguments<Requests[R]>
  ): Promise<Answer<Requests[R]>>;
  /**
   * As emit, and repeats the request while the service answers too late or is too busy, each time with more patience.
   * @param payload returns null when the request is no longer needed
   */
  emitUntilAnswered<R extends keyof Requests>(
    request: R,
    payload: () => Payload<Requests[R]> | null,
  ): Promise<Answer<Requests[R]>>;
  /** Asks for the snapshot, which arrives as the event `snapshot`. */
  resync(): void;
  /** Finds out within 3 s whether an open connection still works, and opens a new one if not. */
  probe(): void;
  /** Connects at once, with the current token. */
  reconnect(): void;
  close(): void;
}

/** What the call needs of a socket: both kinds have it. */
export type CallSocket = Channel<CallEvents, CallRequests>;
export type CustomerSocket = Channel<CustomerEvents, CustomerRequests>;
export type StaffSocket = Channel<StaffEvents, StaffRequests>;

export interface SocketOptions {
  /** The origin of the service; by default the page's. */
  url?: string;
  /** Read on every connection. */
  token: () => string;
  /** Made once per load of the page, see `newSession`. */
  session?: string;
}
