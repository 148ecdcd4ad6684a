import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { CONFIG, type Config } from '../../platform/config/config';
import { RetryTransaction } from '../../platform/database/retry-transaction';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { Connections } from '../../presence/connections';
import { Call } from '../call.entity';
import { type Participant } from '../call.events';
import { CustomerPresenceChanged, PeerDisconnected, PeerReconnected } from '../participant.events';
import { isAwaited } from '../callbacks/callback.machine';
import { isFinal } from './call.machine';
import { Absence, PRESENT } from './absence';
import { type CallChanges, CallWriter } from './call-writer';

const COLUMNS = {
  customer: { connected: 'customer_connected_at', grace: 'customer_grace_deadline' },
  agent: { connected: 'agent_connected_at', grace: 'agent_grace_deadline' },
} as const;

/** A call that the transaction has locked. */
export interface LockedCall {
  id: string;
}

/**
 * Changes the grace periods and the absence of a call when sockets of its participants connect and disconnect. Each
 * socket of an agent connects them to all of their active calls. A participant can be missing only after they have been
 * connected once. The caller holds the lock of the call's row, so that one transaction at a time counts the sockets.
 */
@Injectable()
export class Reconnection {
  constructor(
    private readonly connections: Connections,
    private readonly events: EventBus,
    private readonly writer: CallWriter,
    private readonly absence: Absence,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Locks the calls that the socket belongs to, in the order of their ids: that of its customer, and those that are
   * assigned to its user. Call it before changing connections: transactions that lock several calls in another order
   * can deadlock.
   */
  lockCallsOf(tx: Transaction, socketId: string): Promise<LockedCall[]> {
    return tx.query<LockedCall>(
      `SELECT id FROM calls WHERE id IN (
         SELECT call_id FROM connections WHERE socket_id = $1
         UNION ALL
         SELECT c.id FROM connections o
           JOIN calls c ON c.tenant_id = o.tenant_id AND c.user_id = o.user_id AND c.status IN ('assigned', 'active')
         WHERE o.socket_id = $1)
       ORDER BY id FOR NO KEY UPDATE`,
      [socketId],
    );
  }

  /** Locks the call. Call it before changing its connections. */
  async lockCall(tx: Transaction, callId: string): Promise<void> {
    await tx.query('SELECT FROM calls WHERE id = $1 FOR NO KEY UPDATE', [callId]);
  }

  /** Locks the assigned and active calls of the agent, in the order of their ids. Call it before the agent is locked. */
  lockCallsOfAgent(tx: Transaction, tenantId: string, userId: string): Promise<LockedCall[]> {
    return tx.query<LockedCall>(
      `SELECT id FROM calls WHERE tenant_id = $1 AND user_id = $2 AND status IN ('assigned', 'active')
       ORDER BY id FOR NO KEY UPDATE`,
      [tenantId, userId],
    );
  }

  /**
   * Reads the active calls of the agent. Call it after the agent is locked (AgentLocks): a call that is being started
   * waits for that lock, and then sees the connections as they are then.
   * @param locked the calls that the transaction locked before the agent
   * @throws RetryTransaction if another call has become active since: its lock comes before that of the agent
   */
  async activeCallsOf(
    tx: Transaction,
    tenantId: string,
    userId: string,
    locked: readonly LockedCall[],
  ): Promise<Call[]> {
    const calls = await tx.query<Call>(
      `SELECT ${tx.columnsOf(Call, 'c')} FROM calls c
       WHERE c.tenant_id = $1 AND c.user_id = $2 AND c.status = 'active' ORDER BY c.id`,
      [tenantId, userId],
    );
    const ids = new Set(locked.map(({ id }) => id));
    if (calls.some(({ id }) => !ids.has(id))) {
      throw new RetryTransaction('A call of the agent became active.');
    }
    return calls;
  }

  /** A socket of the participant connected. Ends their grace period, or the customer's absence. */
  async connected(tx: Transaction, call: Call, participant: Participant): Promise<Call> {
    const { connected, grace } = COLUMNS[participant];
    const now = this.clock.now();
    const changes: CallChanges = { [connected]: call[connected] ?? now, [grace]: null };
    if (participant === 'customer') Object.assign(changes, PRESENT);
    else if (call[connected] !== null && call[grace] === null) return call;
    if (call[grace] === null) {
      const saved = this.writer.saveInternal(tx, call, changes, now);
      const wasAbsent = participant === 'customer' && call.absent_since !== null;
      if (wasAbsent) await this.events.record(tx, new CustomerPresenceChanged(saved, now));
      return saved;
    }
    const reconnected = this.writer.saveVisible(tx, call, { ...changes, reconnected_at: now }, now);
    await this.events.record(tx, new PeerReconnected(reconnected, now, participant));
    return reconnected;
  }

  /**
   * Locks those of the tenant's calls that no other transaction has locked, in the order of their ids.
   * @returns the locked calls
   */
  lockAvailable(tx: Transaction, tenantId: string, callIds: string[]): Promise<Call[]> {
    return tx.query<Call>(
      'SELECT * FROM calls WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED',
      [tenantId, callIds],
    );
  }

  /** As disconnected, for customers of several calls of one tenant, which take as many statements as one. */
  async customersDisconnected(tx: Transaction, tenantId: string, calls: Call[]): Promise<void> {
    if (calls.length === 0) return;
    const connected = await this.connections.callsWithCustomer(
      tx,
      calls.map(({ id }) => id),
    );
    const missing = calls.filter((call) => canBeMissing(call, 'customer') && !connected.has(call.id));
    const now = this.clock.now();
    const idsOf = (status: Call['status'], areAwaited = false) =>
      missing
        .filter((call) => call.status === status && isAwaited(call.callback_status) === areAwaited)
        .map(({ id }) => id);
    const absent = await settleAll([
      this.writer.saveAllInternal(tx, tenantId, idsOf('queued'), this.absence.startingAt(now), now),
      this.writer.saveAllInternal(tx, tenantId, idsOf('queued', true), this.absence.ofAwaited(now), now),
    ]);
    for (const call of absent.flat()) await this.events.record(tx, new CustomerPresenceChanged(call, now));
    const { changes, eventOf } = this.gracePeriod('customer', now);
    for (const call of await this.writer.saveAllVisible(tx, tenantId, idsOf('active'), changes, now)) {
      await this.events.record(tx, eventOf(call));
    }
  }

  /** A socket of the participant disconnected. Without another one, a grace period or the customer's absence begins. */
  async disconnected(tx: Transaction, call: Call, participant: Participant): Promise<Call> {
    if (!canBeMissing(call, participant)) return call;
    const present = await this.connections.inCall(tx, call.id, call.user_id);
    return present[participant] ? call : this.missing(tx, call, participant);
  }

  private async missing(tx: Transaction, call: Call, participant: Participant): Promise<Call> {
    if (!canBeMissing(call, participant)) return call;
    const now = this.clock.now();
    if (call.status === 'active') return this.startGrace(tx, call, participant, now);
    if (call.status !== 'queued' || participant !== 'customer') return call;
    const columns = isAwaited(call.callback_status)
      ? this.absence.ofAwaited(now)
      : this.absence.startingAt(now);
    const absent = this.writer.saveInternal(tx, call, columns, now);
    await this.events.record(tx, new CustomerPresenceChanged(absent, now));
    return absent;
  }

  /**
   * The call became active: an agent with an open socket is connected to it, and the grace periods of participants
   * start who were connected earlier and are not now.
   * @param present read after the agent was locked, which `activeCallsOf` relies on
   */
  async checkBoth(tx: Transaction, call: Call, present: Record<Participant, boolean>): Promise<Call> {
    let checked = call;
    if (!present.customer) checked = await this.missing(tx, checked, 'customer');
    return present.agent ? this.connected(tx, checked, 'agent') : this.missing(tx, checked, 'agent');
  }

  /** What is saved with the start of a call whose agent has an open socket: the agent is connected to it. */
  agentConnected(call: Call): CallChanges {
    return { agent_connected_at: call.agent_connected_at ?? this.clock.now() };
  }

  private async startGrace(tx: Transaction, call: Call, participant: Participant, now: Date): Promise<Call> {
    const { changes, eventOf } = this.gracePeriod(participant, now);
    const waiting = this.writer.saveVisible(tx, call, changes, now);
    await this.events.record(tx, eventOf(waiting));
    return waiting;
  }

  private gracePeriod(participant: Participant, now: Date) {
    const seconds = this.config.reconnectGraceSeconds;
    const deadline = new Date(now.getTime() + seconds * 1000);
    return {
      changes: { [COLUMNS[participant].grace]: deadline, disconnected_at: now },
      eventOf: (call: Call) => new PeerDisconnected(call, now, participant, deadline.toISOString(), seconds),
    };
  }
}

/** Whether the participant was connected to a call that has not ended, and is not missing yet. */
function canBeMissing(call: Call, participant: Participant): boolean {
  const { connected, grace } = COLUMNS[participant];
  return !isFinal(call.status) && call[connected] !== null && call[grace] === null;
}
