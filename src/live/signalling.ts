import { Injectable } from '@nestjs/common';
import { CallAccess, type CallState } from '../calls/staff/call-access';
import { SessionStateCache } from '../identity/sessions/session-state-cache';
import type { Participant } from '../calls/call.events';
import { Clock } from '../platform/clock/clock';
import { ApiError, forbidden, unprocessable } from '../platform/http/errors/api-error';
import { LiveActions } from './live-actions';
import type { SignalDto } from './live.dto';
import { rooms } from './rooms';
import { CallStateCache, type ConnectableCall } from './signals/call-state-cache';
import { hasSignalSocket, signalRoomOf, takesPart } from './signals/signal-rooms';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

const MAX_SIGNAL_BYTES = 65_536;

/** What is relayed to the other side: a session description or an ICE candidate. */
type SignalBody = Pick<SignalDto, 'description'> | Pick<SignalDto, 'candidate'>;

/** Whether the other side has a socket that gets signals. */
export interface Delivery {
  delivered: boolean;
}

/** Relays session descriptions and ICE candidates between the two sides. Media never pass through the server. */
@Injectable()
export class Signalling {
  constructor(
    private readonly access: CallAccess,
    private readonly states: CallStateCache,
    private readonly sessions: SessionStateCache,
    private readonly actions: LiveActions,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws 422 for an invalid message or a call that is not assigned or active, 413 for a large one, 403, 409 for a page
   *   whose call another page took over
   */
  async relay(socket: LiveSocket, callId: string, message: SignalDto): Promise<Delivery> {
    const { description, candidate } = message;
    if (!description === !candidate) {
      throw unprocessable('validation_failed', 'A signal carries either a description or a candidate.');
    }
    const body = description ? { description } : { candidate };
    if (!isWithinSize(body)) {
      throw new ApiError(413, 'payload_too_large', `A signal has at most ${MAX_SIGNAL_BYTES} bytes.`);
    }
    let call = await this.ensureConnectable(socket, callId);
    const { data } = socket;
    // The answers to the signals of this socket must reach it, and no tab of the agent that has not joined. A tab that joined
    // earlier than another one does not take the call back by its last candidates.
    if (data.kind === 'staff' && !socket.rooms.has(rooms.agentOf(callId)))
      await this.actions.enterCall(socket, callId);
    // The call may have ended meanwhile, or the session.
    while (!call.isCurrent) call = await this.ensureConnectable(socket, callId);
    if (data.kind === 'staff') this.sessions.ensureOpen(data.user.session_id);
    return { delivered: this.send(socket, callId, call.state, body) };
  }

  /** Sends a signal to the other side. @returns whether that has a socket that gets it */
  private send(socket: LiveSocket, callId: string, call: CallState, body: SignalBody): boolean {
    const isAgent = socket.data.kind === 'staff';
    const to = isAgent ? 'customer' : 'agent';
    const room = signalRoomOf(to, callId, call);
    this.sockets.emitTo(room, 'signal', {
      call_id: callId,
      at: this.clock.now().toISOString(),
      version: call.version,
      from: isAgent ? 'agent' : 'customer',
      ...body,
    });
    return this.isReached(room, to, call);
  }

  /** The customer asks the agent, who alone makes offers, for a new one. @throws 403 for staff, otherwise as relay */
  async renegotiate(socket: LiveSocket, call_id: string): Promise<Delivery> {
    if (socket.data.kind !== 'customer') throw forbidden('Only the customer can do this.');
    const { state } = await this.ensureConnectable(socket, call_id);
    const room = signalRoomOf('agent', call_id, state);
    const at = this.clock.now().toISOString();
    this.sockets.emitTo(room, 'renegotiate', { call_id, at, version: state.version, from: 'customer' });
    return { delivered: this.isReached(room, 'agent', state) };
  }

  /** The rooms of this instance are exact. Of sockets on other instances only their leases tell. */
  private isReached(room: string, side: Participant, call: CallState): boolean {
    if (this.sockets.hasLocalSocketIn(room)) return true;
    return this.sockets.hasOtherInstances && hasSignalSocket(side, call);
  }

  /** A call that the sender may not see is answered like an unknown one. @throws as relay */
  async ensureConnectable({ data }: LiveSocket, callId: string): Promise<ConnectableCall> {
    const { tenant_id } = data.kind === 'staff' ? data.user : data.customer;
    const call = await this.states.read(tenant_id, callId);
    const isOthers = data.kind === 'staff' && data.user.user_id !== call?.state.user_id;
    if (!call || (isOthers && !(await this.access.stateFor(data.user, callId)))) {
      throw unprocessable('invalid_state', 'The call is not assigned or active.');
    }
    if (isOthers) throw forbidden('The call belongs to another agent.', 'not_your_call');
    if (data.kind === 'customer' && !takesPart(call.state.holder_session, data.page_session)) {
      throw new ApiError(409, 'taken_over', 'Another page of the customer has taken the call over.');
    }
    return call;
  }
}

/** Bytes of a character in JSON at most: six if it is escaped. */
const MAX_BYTES_OF_CHARACTER = 6;
/** Of the names of the fields, their punctuation and a number. */
const MAX_BYTES_OF_FRAME = 200;

/** Whether the signal has at most MAX_SIGNAL_BYTES as JSON. Only long signals are serialized to measure them. */
function isWithinSize(body: SignalBody): boolean {
  let length = 0;
  for (const part of Object.values(body)) {
    for (const value of Object.values(part ?? {})) {
      if (typeof value === 'string') length += value.length;
    }
  }
  if (length * MAX_BYTES_OF_CHARACTER + MAX_BYTES_OF_FRAME <= MAX_SIGNAL_BYTES) return true;
  return Buffer.byteLength(JSON.stringify(body)) <= MAX_SIGNAL_BYTES;
}
