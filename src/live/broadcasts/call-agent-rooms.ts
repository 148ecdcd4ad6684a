import { Injectable } from '@nestjs/common';
import { endOfAccess } from '../../calls/customer/customer-tokens';
import { rooms } from '../rooms';
import { SocketServer } from '../socket-server';

/** The agent of a call; null once it has ended, at `ended_at`, or waits in a queue again. */
interface AgentChange {
  call_id: string;
  agent: string | null;
  ended_at?: string;
}

/** Keeps the sockets of a call in step with its agent, on all instances. */
@Injectable()
export class CallAgentRooms {
  constructor(private readonly sockets: SocketServer) {}

  /** Called when the socket server is up: listens to the other instances. */
  listen(): void {
    this.sockets.onOtherInstance('call_agent_changed', (change: AgentChange) =>
      this.updateLocalSockets(change),
    );
  }

  /** Call it at the commit of the change, before clients are informed of it. */
  change(change: AgentChange): void {
    this.updateLocalSockets(change);
    this.sockets.notifyOtherInstances('call_agent_changed', change);
  }

  /**
   * Former agents receive no more signals. The customer uses the database connections of calls in progress, until the
   * call has ended; then they have access for a limited time.
   */
  private updateLocalSockets({ call_id, agent, ended_at }: AgentChange): void {
    const room = rooms.agentOf(call_id);
    for (const socket of this.sockets.localSocketsIn(room)) {
      const { data } = socket;
      // The new agent may have joined before this event arrived.
      if (data.kind === 'staff' && data.user.user_id !== agent) void socket.leave(room);
    }
    for (const { data } of this.sockets.localSocketsIn(rooms.customerOf(call_id))) {
      if (data.kind === 'customer') {
        data.customer.is_in_progress = agent !== null;
        // With an agent the call has no position. If it returns to a queue, its position is sent in any case.
        data.lastSent = undefined;
      }
      if (ended_at) data.expires_at = Math.min(data.expires_at, endOfAccess(ended_at));
    }
  }
}
