import { Injectable } from '@nestjs/common';
import { CallAccess, type CallState } from '../calls/staff/call-access';
import { Clock } from '../platform/clock/clock';
import { ApiError, forbidden, unprocessable } from '../platform/http/errors/api-error';
import { LiveActions } from './live-actions';
import type { SignalDto } from './live.dto';
import { rooms } from './rooms';
import { SocketServer } from './socket-server';
import type { LiveSocket } from './socket.types';

const MAX_SIGNAL_BYTES = 65_536;
/** The states in which the two sides may connect to each other. */
const CONNECTABLE = new Set(['assigned', 'active']);

/** Relays session descriptions and ICE candidates between the two sides. Media never pass through the server. */
@Injectable()
export class Signalling {
  constructor(
    private readonly access: CallAccess,
    private readonly actions: LiveActions,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for an invalid message or a call that is not assigned or active, 413 for a large one, 403 */
  async relay(socket: LiveSocket, callId: string, message: SignalDto): Promise<void> {
    const { description, candidate } = message;
    if (!description === !candidate) {
      throw unprocessable('validation_failed', 'A signal carries either a description or a candidate.');
    }
    const body = description ? { description } : { candidate };
    if (Buffer.byteLength(JSON.stringify(body)) > MAX_SIGNAL_BYTES) {
      throw new ApiError(413, 'payload_too_large', `A signal has at most ${MAX_SIGNAL_BYTES} bytes.`);
    }
    const call = await this.ensureConnectable(socket, callId);
    const isAgent = socket.data.kind === 'staff';
    // The answers to the signals of this socket must reach no other tab of the agent.
    if (isAgent && !socket.rooms.has(rooms.agentOf(callId))) await this.actions.enterCall(socket, callId);
    this.sockets.io.to(isAgent ? rooms.customerOf(callId) : agentRoom(callId, call)).emit('signal', {
      call_id: callId,
      at: this.clock.now().toISOString(),
      version: call.version,
      from: isAgent ? 'agent' : 'customer',
      ...body,
    });
  }

  /** A call that the sender may not see is answered like an unknown one. */
  private async ensureConnectable({ data }: LiveSocket, callId: string): Promise<CallState> {
    const viewer = data.kind === 'staff' ? data.user : data.customer;
    const call = await this.access.stateFor(viewer, callId);
    if (!call || !CONNECTABLE.has(call.status)) {
      throw unprocessable('invalid_state', 'Signals are relayed while the call is assigned or active.');
    }
    if (data.kind === 'staff' && data.user.user_id !== call.user_id) {
      throw forbidden('The call belongs to another agent.', 'not_your_call');
    }
    return call;
  }
}

/** The sockets of the agent that have joined the call, or all of them if none has. */
const agentRoom = (callId: string, { user_id, has_joined_socket }: CallState): string =>
  has_joined_socket || user_id === null ? rooms.agentOf(callId) : rooms.user(user_id);
