import { Injectable } from '@nestjs/common';
import type { CallState } from '../../calls/staff/call-access';
import { SessionStateCache } from '../../identity/sessions/session-state-cache';
import { settleAll } from '../../platform/database/settle-all';
import { activeTracer, type SpanDescription } from '../../platform/tracing/tracer';
import { requestContext } from '../../platform/logging/request-context';
import { contextOf } from '../ack.interceptor';
import { acknowledge, TOO_MANY_EVENTS } from '../limits/event-limiter';
import { TaskQueue } from '../../platform/rate-limit/task-queue';
import { SocketOwners } from '../limits/socket-owners';
import { joinedCalls, rooms } from '../rooms';
import { isWithinSize, Signalling } from '../signalling';
import { hasExpired } from '../socket-authentication';
import type { Ack, LiveSocket } from '../socket.types';
import { CallStateCache, MAX_STATE_AGE_MS } from './call-state-cache';
import { readSignal } from './read-signal';
import { takesPart } from './signal-rooms';

const SIGNAL_SPAN: SpanDescription = { name: 'socket signal', kind: 'server', carrier: {} };
const DELIVERED: Ack = { ok: true, data: { delivered: true } };
const UNDELIVERED: Ack = { ok: true, data: { delivered: false } };

/**
 * Relays signals whose sender is known to be entitled, without Nest's pipeline and without a statement. The gateway
 * handles all others: the first one of a socket, and those that are refused. Signals of one socket keep their order.
 */
@Injectable()
export class SignalFastPath {
  constructor(
    private readonly sessions: SessionStateCache,
    private readonly states: CallStateCache,
    private readonly signalling: Signalling,
    private readonly owners: SocketOwners,
  ) {}

  /** Handles the signals of a new socket. Call it after EventLimiter has limited the socket. */
  install(socket: LiveSocket): void {
    /** The signals that cannot be relayed at once, one at a time, and those that wait for them. */
    let signals: TaskQueue | undefined;
    let isEstablished = false;
    socket.use((packet: unknown[], next) => {
      if (packet[0] !== 'signal') {
        next();
      } else if ((signals ??= new TaskQueue(1, this.owners.burst)).isFull) {
        acknowledge(packet, TOO_MANY_EVENTS);
      } else if (!isEstablished || !signals.hasCapacity || !this.relay(socket, packet)) {
        void signals.run(async () => {
          if (socket.disconnected) return;
          if (isEstablished && (await this.relayAfterReading(socket, packet))) return;
          // The gateway waits until the connection is established.
          const { ok } = await passOn(packet, next);
          isEstablished ||= ok;
        });
      }
    });
  }

  /** @returns false if the gateway must handle the signal, or if the state of the session or call must be read first */
  private relay(socket: LiveSocket, packet: unknown[]): boolean {
    // Of the events of the socket, only a few are handled at a time.
    if (!socket.data.queue?.hasCapacity || hasExpired(socket) || !this.isSessionValid(socket)) return false;
    const signal = signalOf(packet);
    if (!signal || !isWithinSize(signal.body)) return false;
    const callId = callOf(socket, signal.call_id);
    const state = callId && this.stateOf(socket, callId);
    if (!callId || !state) return false;
    const span = activeTracer()?.start(SIGNAL_SPAN);
    const isDelivered = this.signalling.send(socket, callId, state, signal.body);
    span?.end();
    acknowledge(packet, isDelivered ? DELIVERED : UNDELIVERED);
    return true;
  }

  /** As `relay`, after reading what is not cached any more. */
  private async relayAfterReading(socket: LiveSocket, packet: unknown[]): Promise<boolean> {
    const { queue } = socket.data;
    const signal = signalOf(packet);
    const callId = signal && callOf(socket, signal.call_id);
    if (!queue?.hasCapacity || !callId) return false;
    try {
      await queue.run(() => requestContext.run(contextOf(socket, true), () => this.read(socket, callId)));
    } catch {
      // The gateway reads it again, and answers and logs the error.
      return false;
    }
    return socket.disconnected || this.relay(socket, packet);
  }

  private async read({ data }: LiveSocket, callId: string): Promise<void> {
    if (data.kind === 'customer') {
      await this.states.read(data.customer.tenant_id, callId);
      return;
    }
    const { user_id, tenant_id, session_id } = data.user;
    await settleAll([
      this.sessions.getState({ sub: user_id, tid: tenant_id, sid: session_id }, MAX_STATE_AGE_MS),
      this.states.read(tenant_id, callId),
    ]);
  }

  /** As AckInterceptor checks it, if the session was read within the last 2 s. */
  private isSessionValid({ data }: LiveSocket): boolean {
    if (data.kind === 'customer') return true;
    const user = this.sessions.peek(data.user.session_id, MAX_STATE_AGE_MS);
    if (!user || user.must_enrol) return false;
    data.user = user;
    return true;
  }

  /** The state of the call if it is cached and the sender may send signals to it. */
  private stateOf({ data }: LiveSocket, callId: string): CallState | undefined {
    if (data.kind === 'customer') {
      const state = this.states.peek(data.customer.tenant_id, callId)?.state;
      return state && takesPart(state.holder_session, data.page_session) ? state : undefined;
    }
    const state = this.states.peek(data.user.tenant_id, callId)?.state;
    return state?.user_id === data.user.user_id ? state : undefined;
  }
}

/** The signal of the event: one payload, and an acknowledgement if the client requests one. */
function signalOf(packet: unknown[]) {
  const isPlain = packet.length === 2 || (packet.length === 3 && typeof packet[2] === 'function');
  return isPlain ? readSignal(packet[1]) : undefined;
}

/** The call that the signal belongs to, unless it is invalid or the gateway has to let the socket join it first. */
function callOf({ data, rooms: joined }: LiveSocket, named: string | undefined): string | undefined {
  if (data.kind === 'customer') {
    const { call_id } = data.customer;
    return named === undefined || named === call_id ? call_id : undefined;
  }
  if (named !== undefined) return joined.has(rooms.agentOf(named)) ? named : undefined;
  const [only, another] = joinedCalls(joined);
  return another === undefined ? only : undefined;
}

/** Lets the gateway handle the event. Resolves with its acknowledgement; never, if the socket is closed before. */
function passOn(packet: unknown[], next: () => void): Promise<Ack> {
  return new Promise((resolve) => {
    const requested = packet.at(-1);
    const isRequested = typeof requested === 'function';
    const acknowledgement = (ack: Ack) => {
      if (isRequested) requested(ack);
      resolve(ack);
    };
    packet.splice(isRequested ? -1 : packet.length, 1, acknowledgement);
    next();
  });
}
