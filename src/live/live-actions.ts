import { Injectable } from '@nestjs/common';
import { StaffCallActions } from '../calls/staff/staff-call-actions';
import { type CallStatus, isFinal } from '../calls/machine/call.machine';
import { type JoinedCall, JoinedCalls } from '../calls/chat/joined-calls';
import { CallList } from '../calls/staff/call-list';
import { CustomerCallActions } from '../calls/customer/customer-call-actions';
import type { IceServerDto } from '../calls/customer/public-call.dto';
import { TurnCredentials } from '../calls/customer/turn-credentials';
import { forbidden, invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import type { Principal } from '../platform/access/principal';
import { ChooseState } from '../routing/agents/choose-state';
import { PeerReadyBroadcast } from './broadcasts/peer-ready-broadcast';
import { takeTurn } from './conversation/long-chat-turns';
import type { JoinCallDto, SetPresenceDto } from './live.dto';
import { LiveConnections } from './live-connections';
import { readCurrent } from './snapshots/read-current';
import { joinedCalls, rooms } from './rooms';
import type { CustomerData, LiveSocket, StaffData } from './socket.types';

/** Requests of clients over the socket. They run the same use cases as REST. */
@Injectable()
export class LiveActions {
  constructor(
    private readonly connections: LiveConnections,
    private readonly states: ChooseState,
    private readonly staffActions: StaffCallActions,
    private readonly customerActions: CustomerCallActions,
    private readonly calls: CallList,
    private readonly turn: TurnCredentials,
    private readonly joined: JoinedCalls,
    private readonly peers: PeerReadyBroadcast,
  ) {}

  /** The agent joins their call. @throws as enterCall */
  async joinCall(
    socket: LiveSocket,
    { call_id: callId, session }: JoinCallDto,
  ): Promise<JoinedCall & { ice_servers: IceServerDto[] }> {
    const { tenant_id, user_id } = staff(socket).user;
    await this.enterCall(socket, callId, session ?? undefined);
    const read = async () => {
      const readMs = performance.now();
      const state = await this.joined.get(tenant_id, callId);
      if (!state) throw notFound('Call');
      await takeTurn(state);
      return { state, readMs };
    };
    const { state: joined } = await readCurrent([socket], read, callId);
    return { ...joined, ice_servers: this.turn.iceServers(user_id) };
  }

  /**
   * From now on the signals of the call go to this socket of its agent, until another one enters it. Both sides learn of its
   * page.
   * @param session of the page, which the socket keeps if it joins
   * @throws 404, 403 for another agent's call, 422 unless assigned or active
   */
  async enterCall(socket: LiveSocket, callId: string, session = socket.data.page_session): Promise<void> {
    const { user } = staff(socket);
    const { tenant_id, user_id } = user;
    await this.calls.get(user, callId);
    const joining = { user_id, socket_id: socket.id, session };
    await this.connections.connectToCall(tenant_id, callId, joining, (call) => {
      if (call.status !== 'assigned' && call.status !== 'active') {
        throw unprocessable('invalid_state', `A call that is ${call.status} cannot be joined.`);
      }
      if (call.user_id !== user_id) throw forbidden('The call belongs to another agent.', 'not_your_call');
    });
    await socket.join(rooms.agentOf(callId));
    await this.confirmJoined(socket, user, callId);
    socket.data.page_session = session;
    await this.peers.announce(tenant_id, callId);
  }

  /** The tab may have been closed, or the call handed over or ended, while the room was joined. @throws 422 */
  private async confirmJoined(socket: LiveSocket, user: Principal, callId: string): Promise<void> {
    if (socket.disconnected) {
      await this.connections.disconnect(user.tenant_id, socket.id);
      socket.nsp.adapter.delAll(socket.id);
    }
    const { user_id, status } = await this.calls.get(user, callId);
    if (user_id === user.user_id && !isFinal(status)) return;
    await socket.leave(rooms.agentOf(callId));
    throw unprocessable('invalid_state', 'The call has ended or been handed over meanwhile.');
  }

  async leaveQueue(socket: LiveSocket): Promise<{ call_id: string; status: CallStatus }> {
    const { tenant_id, call_id } = customer(socket).customer;
    const { status } = await this.customerActions.leaveQueue(tenant_id, call_id);
    return { call_id, status };
  }

  /** The agent completes the call, or the customer hangs up. */
  async endCall(socket: LiveSocket, callId: string): Promise<object> {
    const { data } = socket;
    const { id, status, end_reason, completed_at } =
      data.kind === 'staff'
        ? await this.staffActions.complete(data.user, callId, null)
        : await this.customerActions.hangUp(data.customer.tenant_id, callId);
    return { call_id: id, status, end_reason, completed_at };
  }

  /** @throws 422 for an unknown reason */
  async setPresence(socket: LiveSocket, { presence, reason }: SetPresenceDto): Promise<void> {
    const { user } = staff(socket);
    const state = presence === 'away' ? 'paused' : 'available';
    await this.states.choose(user, user.user_id, { state, reason });
  }

  /**
   * @returns the call that an event refers to
   * @throws 422 if a customer names another call, or an agent neither names one nor has joined exactly one
   */
  callOf(socket: LiveSocket, named: string | null | undefined): string {
    if (socket.data.kind === 'customer') {
      const { call_id } = socket.data.customer;
      if (named && named !== call_id) throw invalidField('call_id', 'is not the call of this socket');
      return call_id;
    }
    if (named) return named;
    const [joined, another] = joinedCalls(socket.rooms);
    if (!joined || another) {
      throw invalidField('call_id', 'is required, because the socket has joined no call or several');
    }
    return joined;
  }
}

function staff({ data }: LiveSocket): StaffData {
  if (data.kind !== 'staff') throw forbidden('Only staff can do this.');
  return data;
}

function customer({ data }: LiveSocket): CustomerData {
  if (data.kind !== 'customer') throw forbidden('Only the customer can do this.');
  return data;
}
