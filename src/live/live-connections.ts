import { Injectable } from '@nestjs/common';
import type { Call } from '../calls/call.entity';
import { AgentJoined } from '../calls/participant.events';
import { isFinal } from '../calls/machine/call.machine';
import { type LockedCall, Reconnection } from '../calls/machine/reconnection';
import { CallTransitions } from '../calls/machine/call-transitions';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { runAsReservedBackgroundWork } from '../platform/logging/request-context';
import { type ClosedConnection, type Connection, Connections } from '../presence/connections';
import { AgentStates } from '../routing/agents/agent-states';
import { PeerReadyBroadcast } from './broadcasts/peer-ready-broadcast';
import { MAX_STAFF_SOCKETS } from './limits/socket-owners';
import { CallStateCache } from './signals/call-state-cache';

/** A socket of an agent that joins a call. */
interface JoiningSocket {
  user_id: string;
  socket_id: string;
  session: string;
}

interface StaffConnected {
  reconnected: Call[];
  /** Ids of sockets on any instance. */
  surplus: string[];
}

/** Records connects and disconnects of sockets with their effects on presence and calls, each in one transaction. */
@Injectable()
export class LiveConnections {
  constructor(
    private readonly database: Database,
    private readonly connections: Connections,
    private readonly agents: AgentStates,
    private readonly transitions: CallTransitions,
    private readonly reconnection: Reconnection,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly states: CallStateCache,
    private readonly peers: PeerReadyBroadcast,
  ) {}

  /**
   * A staff member connected another socket, which connects them to their active calls.
   * @returns the calls in which this ended their grace period, and the user's oldest sockets beyond the limit
   */
  connectStaff(tenantId: string, userId: string, socketId: string): Promise<StaffConnected> {
    return this.database.tenant(tenantId, async (tx) => {
      const locked = await this.reconnection.lockCallsOfAgent(tx, tenantId, userId);
      const connection = { tenant_id: tenantId, socket_id: socketId, user_id: userId, call_id: null };
      await this.connections.open(tx, { ...connection, session: null });
      await this.agents.announce(tx, tenantId, [userId]);
      const reconnected: Call[] = [];
      for (const call of await this.reconnection.activeCallsOf(tx, tenantId, userId, locked)) {
        const connected = await this.reconnection.connected(tx, call, 'agent');
        if (connected.version > call.version) reconnected.push(connected);
      }
      // The agent is locked, so that concurrent connects are counted.
      const surplus = await this.connections.findSurplus(tx, connection, MAX_STAFF_SOCKETS);
      return { reconnected, surplus };
    });
  }

  /**
   * The agent connected another socket to the call. A call that has ended takes no connections.
   * @param ensureAllowed runs with the call locked and throws to refuse the connection
   */
  async connectToCall(
    tenantId: string,
    callId: string,
    socket: JoiningSocket,
    ensureAllowed: (call: Call) => void,
  ): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const call = await this.transitions.lock(tx, tenantId, callId);
      ensureAllowed(call);
      if (isFinal(call.status)) return;
      const isNew = await this.connections.open(tx, { tenant_id: tenantId, call_id: callId, ...socket });
      const joined = await this.reconnection.connected(tx, call, 'agent');
      if (isNew) await this.events.record(tx, new AgentJoined(joined, this.clock.now()));
    });
  }

  /** The socket disconnected. */
  async disconnect(tenantId: string, socketId: string): Promise<void> {
    const disconnect = async (tx: Transaction) => {
      const locked = await this.reconnection.lockCallsOf(tx, socketId);
      await this.handleClosed(tx, await this.connections.close(tx, socketId), locked);
    };
    await runAsReservedBackgroundWork(() => this.database.tenant(tenantId, disconnect));
  }

  /**
   * Starts grace periods and announces the states of agents for closed connections.
   * @param locked the calls of their agents that the transaction locked before
   * @param since when they closed, if it was noticed later
   */
  async handleClosed(
    tx: Transaction,
    closed: ClosedConnection[],
    locked: readonly LockedCall[],
    since?: Date,
  ): Promise<void> {
    // In the order of ids: transactions that lock several calls or users in different orders deadlock.
    const customers = closed.filter(({ user_id }) => user_id === null).toSorted(byCall);
    for (const { tenant_id, call_id } of customers) {
      const call = await this.transitions.lock(tx, tenant_id, call_id ?? '');
      await this.reconnection.disconnected(tx, call, 'customer');
    }
    const agents = new Map(closed.map(({ user_id, tenant_id }) => [user_id, tenant_id]));
    for (const [userId, tenantId] of [...agents].toSorted(byUser)) {
      if (userId === null) continue;
      await this.agents.announce(tx, tenantId, [userId], since);
      for (const call of await this.reconnection.activeCallsOf(tx, tenantId, userId, locked)) {
        await this.reconnection.disconnected(tx, call, 'agent');
      }
    }
    // Without a joined socket of the agent, signals go to all of their sockets.
    tx.afterCommit(async () => {
      for (const { tenant_id, call_id } of closed) {
        if (call_id !== null) this.states.invalidate(tenant_id, call_id);
      }
      await this.peers.announceRemaining(closed);
    });
  }
}

const byCall = (one: Connection, other: Connection) => (one.call_id ?? '').localeCompare(other.call_id ?? '');
const byUser = (one: [string | null, string], other: [string | null, string]) =>
  (one[0] ?? '').localeCompare(other[0] ?? '');
