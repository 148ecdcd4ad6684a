import { Injectable, Logger } from '@nestjs/common';
import type { Call } from '../../calls/call.entity';
import { ReturnToCall } from '../../calls/callbacks/return-to-call';
import { isInProgress } from '../../calls/customer/customer-tokens';
import { isFinal } from '../../calls/machine/call.machine';
import { CallTransitions } from '../../calls/machine/call-transitions';
import { CustomerArrivals } from '../../calls/machine/customer-arrivals';
import { Reconnection } from '../../calls/machine/reconnection';
import { Batcher } from '../../calls/batcher';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { settleAll } from '../../platform/database/settle-all';
import { toApiError } from '../../platform/http/errors/to-api-error';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { Connections, type CustomerSocket, type NewCustomerSocket } from '../../presence/connections';
import { PeerReadyBroadcast } from '../broadcasts/peer-ready-broadcast';
import { LiveConnections } from '../live-connections';
import { MAX_CUSTOMER_SOCKETS } from '../limits/socket-owners';
import { CallStateCache } from '../signals/call-state-cache';

/** Calls whose locks are held together: agents who act on one of them wait for the others. */
const BATCH_SIZE = 50;

/** Lock and statement timeouts, deadlocks and serialisation failures: one socket's call may be the reason. */
const ROW_PROBLEMS = new Set<unknown>(['55P03', '57014', '40P01', '40001']);

/** A call after a socket of its customer connected. */
export interface CallConnected {
  call: Call;
  /** Whether this ended the customer's grace period. */
  hasReconnected: boolean;
  /** Ids of the oldest sockets beyond the limit, on any instance. */
  surplus: string[];
}

/** A socket of a customer that connects. */
export interface ConnectingCustomer extends NewCustomerSocket {
  /** The device that its token was signed for, as customer_device of the call. */
  device: number;
  /** False for a socket that was open all the time, whose lease was lost. */
  is_new: boolean;
}

/**
 * Records connects and disconnects of customers' sockets: those of the same moment and tenant in one transaction, since
 * thousands of customers reconnect at once after a restart. What cannot be recorded together, because another transaction
 * has locked the call or a statement fails, is recorded by itself.
 */
@Injectable()
export class CustomerLeases {
  private readonly logger = new Logger(CustomerLeases.name);
  private readonly connects = new Batcher<ConnectingCustomer, CallConnected>(
    (tenantId, sockets) => this.connectAll(tenantId, sockets),
    BATCH_SIZE,
  );
  /**
   * Of one call each, which another transaction has locked. All that connect until it is free are recorded after it, in their
   * order, over one connection: otherwise it would not be known which of them are the oldest.
   */
  private readonly waiting = new Batcher<ConnectingCustomer, CallConnected>(async (key, sockets) => {
    const connected = await this.connectCall(key, sockets);
    return sockets.map(() => connected);
  });
  private readonly disconnects = new Batcher<CustomerSocket, void>(
    (tenantId, sockets) => this.disconnectAll(tenantId, sockets),
    BATCH_SIZE,
  );

  constructor(
    private readonly database: Database,
    private readonly connections: Connections,
    private readonly reconnection: Reconnection,
    private readonly arrivals: CustomerArrivals,
    private readonly returns: ReturnToCall,
    private readonly transitions: CallTransitions,
    private readonly live: LiveConnections,
    private readonly states: CallStateCache,
    private readonly peers: PeerReadyBroadcast,
  ) {}

  /**
   * The customer connected another socket to their call, by which one who was called back returns if its page is another one. A call that has ended
   * takes no connections, nor does one that was continued on another device.
   * @throws 404 for a call that the tenant does not have
   */
  connect(tenantId: string, socket: ConnectingCustomer): Promise<CallConnected> {
    return this.connects.run(tenantId, socket);
  }

  /** The customer's socket disconnected. */
  disconnect(tenantId: string, socket: CustomerSocket): Promise<void> {
    return runAsReservedBackgroundWork(() => this.disconnects.run(tenantId, socket));
  }

  private async connectAll(tenantId: string, sockets: ConnectingCustomer[]) {
    const key = ({ call_id }: ConnectingCustomer) => `${tenantId} ${call_id}`;
    const free = sockets.filter((socket) => !this.waiting.isBusy(key(socket)));
    const connected = await this.attempt(() => this.connectUnlocked(tenantId, free));
    return sockets.map((socket) => connected?.get(socket.call_id) ?? this.waiting.run(key(socket), socket));
  }

  /** Waits for the lock of the call. @param key the ids of the tenant and the call */
  private connectCall(key: string, sockets: ConnectingCustomer[]): Promise<CallConnected> {
    const [tenantId = '', callId = ''] = key.split(' ');
    return this.database.tenant(tenantId, async (tx) => {
      const call = await this.transitions.lock(tx, tenantId, callId);
      const [connected] = await this.connectLocked(tx, tenantId, [call], sockets);
      return connected ?? { call, hasReconnected: false, surplus: [] };
    });
  }

  private async disconnectAll(tenantId: string, sockets: CustomerSocket[]) {
    const done = await this.attempt(() => this.disconnectUnlocked(tenantId, sockets));
    return sockets.map(({ call_id, socket_id }) =>
      done?.has(call_id) ? undefined : this.live.disconnect(tenantId, socket_id),
    );
  }

  /**
   * @returns undefined if it failed because of one of the sockets
   * @throws 503: when the database is not available, each of the sockets would fail, too
   */
  private async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (toApiError(error).getStatus() === 503 && !ROW_PROBLEMS.has(codeOf(error))) throw error;
      this.logger.warn(error, 'Sockets are handled one at a time, because handling them together failed');
      return undefined;
    }
  }

  /** @returns the result of each call that no other transaction has locked */
  private connectUnlocked(
    tenantId: string,
    sockets: ConnectingCustomer[],
  ): Promise<Map<string, CallConnected>> {
    return this.database.tenant(tenantId, async (tx) => {
      const calls = await this.reconnection.lockAvailable(tx, tenantId, callsOf(sockets));
      const connected = await this.connectLocked(tx, tenantId, calls, sockets);
      return new Map(connected.map((result) => [result.call.id, result]));
    });
  }

  /** @param calls which the transaction has locked */
  private async connectLocked(
    tx: Transaction,
    tenantId: string,
    calls: Call[],
    sockets: ConnectingCustomer[],
  ): Promise<CallConnected[]> {
    const callsById = new Map(calls.map((call) => [call.id, call]));
    const opened = sockets.filter(({ call_id, device }) => {
      const call = callsById.get(call_id);
      return call && !isFinal(call.status) && device >= call.customer_device;
    });
    const ids = new Set(opened.map(({ call_id }) => call_id));
    const entered = calls.filter(({ id }) => ids.has(id));
    const reading = this.connections.exceedingAfter(tx, tenantId, opened, MAX_CUSTOMER_SOCKETS);
    const recording = this.arrivals.record(tx, tenantId, entered);
    await settleAll([reading, recording]);
    const [surplus, reconnected] = [await reading, await recording];
    const reconnectedById = new Map(reconnected.map((call) => [call.id, call]));
    const arriving = Map.groupBy(
      opened.filter(({ is_new }) => is_new),
      ({ call_id }) => call_id,
    );
    for (const call of entered) {
      const sessions = arriving.get(call.id)?.map(({ session }) => session);
      if (sessions) await this.returns.onConnect(tx, call, sessions);
    }
    return calls.map((call) => ({
      call: reconnectedById.get(call.id) ?? call,
      hasReconnected: reconnectedById.has(call.id),
      surplus: surplus.flatMap(({ call_id, socket_id }) => (call_id === call.id ? [socket_id] : [])),
    }));
  }

  /** @returns the calls of the sockets that are disconnected now: those that no other transaction has locked */
  private disconnectUnlocked(tenantId: string, sockets: CustomerSocket[]): Promise<Set<string>> {
    return this.database.tenant(tenantId, async (tx) => {
      const calls = await this.reconnection.lockAvailable(tx, tenantId, callsOf(sockets));
      const locked = new Set(calls.map(({ id }) => id));
      const closed = await this.connections.closeAll(
        tx,
        sockets.filter(({ call_id }) => locked.has(call_id)),
      );
      const leftIds = new Set(closed.map(({ call_id }) => call_id));
      const left = calls.filter(({ id }) => leftIds.has(id));
      await this.reconnection.customersDisconnected(tx, tenantId, left);
      // Whether signals are delivered depends on the customer's sockets.
      tx.afterCommit(async () => {
        const inProgress = new Set(left.flatMap(({ id, status }) => (isInProgress(status) ? [id] : [])));
        for (const id of inProgress) this.states.invalidate(tenantId, id);
        await this.peers.announceRemaining(closed.filter(({ call_id }) => inProgress.has(call_id ?? '')));
      });
      return locked;
    });
  }
}

const callsOf = (sockets: CustomerSocket[]): string[] => [...new Set(sockets.map(({ call_id }) => call_id))];

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;
