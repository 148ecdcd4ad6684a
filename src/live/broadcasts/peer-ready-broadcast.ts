import { Injectable } from '@nestjs/common';
import { CallAssigned, type CallEvent, CallTransferred, type Participant } from '../../calls/call.events';
import { CallHolderChanged } from '../../calls/participant.events';
import type { CallState } from '../../calls/staff/call-access';
import { Clock } from '../../platform/clock/clock';
import { AfterCommit } from '../../platform/events/listeners';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import type { ClosedConnection } from '../../presence/connections';
import { rooms } from '../rooms';
import { CallStateCache } from '../signals/call-state-cache';
import { signalRoomOf } from '../signals/signal-rooms';
import { SocketServer } from '../socket-server';

/**
 * Tells both sides of a call which page of each side takes part in the signalling. Everyone learns of both pages whenever one
 * side is ready, so that the order in which the sides join does not matter.
 */
@Injectable()
export class PeerReadyBroadcast {
  constructor(
    private readonly states: CallStateCache,
    private readonly sockets: SocketServer,
    private readonly clock: Clock,
  ) {}

  @AfterCommit(CallAssigned)
  async onAssigned(event: CallAssigned): Promise<void> {
    await this.announceOf(event);
  }

  @AfterCommit(CallTransferred)
  async onTransferred(event: CallTransferred): Promise<void> {
    await this.announceOf(event);
  }

  @AfterCommit(CallHolderChanged)
  async onHolderChanged(event: CallHolderChanged): Promise<void> {
    await this.announceOf(event);
  }

  /** Without a socket of the customer there is nothing to announce: the new agent has not joined yet. */
  private async announceOf({ tenant_id, call_id, user_id }: CallEvent): Promise<void> {
    if (user_id === null || !this.sockets.mayHaveSocketsIn([rooms.customerOf(call_id)])) return;
    await runAsReservedBackgroundWork(() => this.announce(tenant_id, call_id));
  }

  /**
   * The latest page of a side is closed, and an earlier one stays: the other side must not go on with a page that is gone.
   * @param closed connections, some perhaps outside of calls
   */
  async announceRemaining(closed: readonly ClosedConnection[]): Promise<void> {
    for (const { tenant_id, call_id, user_id, session, has_earlier_page } of closed) {
      if (call_id === null || !has_earlier_page) continue;
      const state = await this.readState(tenant_id, call_id);
      // The page that took the call over keeps it, also while it has no socket.
      if (!state || (user_id === null && state.holder_session !== null)) continue;
      const remaining = user_id === null ? state.customer_session : state.agent_session;
      if (remaining !== null && remaining !== session) this.send(call_id, state);
    }
  }

  /** Call it when the lease of the socket is recorded and the socket is in its rooms. */
  async announce(tenantId: string, callId: string): Promise<void> {
    const state = await this.readState(tenantId, callId);
    if (state) this.send(callId, state);
  }

  /** @returns the state with all leases that were recorded before; undefined unless assigned or active */
  private async readState(tenantId: string, callId: string): Promise<CallState | undefined> {
    // What is cached may be older than the lease.
    this.states.invalidate(tenantId, callId);
    let call = await this.states.read(tenantId, callId);
    // Another lease was recorded meanwhile: an older session must not be sent after a newer one.
    while (call && !call.isCurrent) call = await this.states.read(tenantId, callId);
    return call?.state;
  }

  private send(callId: string, state: CallState): void {
    const { agent_session, customer_session, version } = state;
    const both = [signalRoomOf('agent', callId, state), signalRoomOf('customer', callId, state)];
    const at = this.clock.now().toISOString();
    const tell = (to: string[], participant: Participant, session: string | null) => {
      if (session === null) return;
      this.sockets.emitTo(to, 'peer_ready', { call_id: callId, at, version, participant, session });
    };
    // Also to the sockets of the agent that joined earlier, which get no more signals.
    tell([...both, rooms.agentOf(callId)], 'agent', agent_session);
    tell(both, 'customer', customer_session);
  }
}
