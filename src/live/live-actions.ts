import { Injectable } from '@nestjs/common';
import { StaffCallActions } from '../calls/staff/staff-call-actions';
import type { CallListItemDto } from '../calls/call.dto';
import { type CallStatus, isFinal } from '../calls/machine/call.machine';
import { CallList } from '../calls/staff/call-list';
import { CustomerCallActions } from '../calls/customer/customer-call-actions';
import type { IceServerDto } from '../calls/customer/public-call.dto';
import { TurnCredentials } from '../calls/customer/turn-credentials';
import { Database } from '../platform/database/database';
import { forbidden, invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import type { Principal } from '../platform/access/principal';
import { PresenceService } from '../presence/presence.service';
import type { ChosenPresence } from '../presence/presence.rules';
import { announceReconnection } from './call-broadcast';
import { LiveConnections } from './live-connections';
import { callsJoined, rooms } from './rooms';
import type { CustomerData, LiveSocket, StaffData } from './socket.types';

/** What clients do over the socket, by the same use cases as REST. */
@Injectable()
export class LiveActions {
  constructor(
    private readonly database: Database,
    private readonly connections: LiveConnections,
    private readonly presence: PresenceService,
    private readonly agentCalls: StaffCallActions,
    private readonly customerCalls: CustomerCallActions,
    private readonly calls: CallList,
    private readonly turn: TurnCredentials,
  ) {}

  /** The agent enters their call's room. @throws 404; when the call is not theirs, or not assigned or active */
  async joinCall(
    socket: LiveSocket,
    callId: string,
  ): Promise<{ call: CallListItemDto; ice_servers: IceServerDto[] }> {
    const { user } = staff(socket);
    const { tenant_id, user_id } = user;
    await this.calls.get(user, callId);
    const { call: entered, cameBack } = await this.connections.openInCall(
      tenant_id,
      callId,
      user_id,
      socket.id,
      (call) => {
        if (call.status !== 'assigned' && call.status !== 'active') {
          throw unprocessable('invalid_state', `A call that is ${call.status} cannot be joined.`);
        }
        if (call.user_id !== user_id) throw forbidden('The call belongs to another agent.', 'not_your_call');
      },
    );
    await socket.join(rooms.agentOf(callId));
    await this.ensureStillThere(socket, user, callId);
    if (cameBack) announceReconnection(socket, entered, 'agent');
    const call = await this.calls.item(tenant_id, callId);
    if (!call) throw notFound('Call');
    return { call, ice_servers: this.turn.iceServers() };
  }

  /** While the room was entered, the tab may have been closed, the call handed over, or ended. */
  private async ensureStillThere(socket: LiveSocket, user: Principal, callId: string): Promise<void> {
    if (socket.disconnected) {
      await this.connections.close(user.tenant_id, socket.id);
      socket.nsp.adapter.delAll(socket.id);
    }
    const { user_id, status } = await this.calls.get(user, callId);
    if (user_id === user.user_id && !isFinal(status)) return;
    await socket.leave(rooms.agentOf(callId));
    throw unprocessable('invalid_state', 'The call has ended or been handed over meanwhile.');
  }

  async leaveQueue(socket: LiveSocket): Promise<{ call_id: string; status: CallStatus }> {
    const { tenant_id, call_id } = customer(socket).customer;
    const { status } = await this.customerCalls.leaveQueue(tenant_id, call_id);
    return { call_id, status };
  }

  /** The agent completes the call, the customer hangs up. */
  async endCall(socket: LiveSocket, callId: string): Promise<object> {
    const { data } = socket;
    const { id, status, end_reason, completed_at } =
      data.kind === 'staff'
        ? await this.agentCalls.complete(data.user, callId, null)
        : await this.customerCalls.hangUp(data.customer.tenant_id, callId);
    return { call_id: id, status, end_reason, completed_at };
  }

  async setPresence(socket: LiveSocket, chosen: ChosenPresence): Promise<void> {
    const { tenant_id, user_id } = staff(socket).user;
    await this.database.tenant(tenant_id, (tx) => this.presence.choose(tx, tenant_id, user_id, chosen));
  }

  /** The call that a message is about: a customer has one, an agent names it or has joined just one. */
  callOf(socket: LiveSocket, named: string | null | undefined): string {
    if (socket.data.kind === 'customer') return socket.data.customer.call_id;
    if (named) return named;
    const [joined, another] = callsJoined(socket.rooms);
    if (!joined || another) {
      throw invalidField('call_id', 'is needed, since the socket has joined no call, or several');
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
