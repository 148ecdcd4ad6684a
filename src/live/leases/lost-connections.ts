import { Injectable } from '@nestjs/common';
import { type CallStatus, isFinal } from '../../calls/machine/call.machine';
import { Reconnection } from '../../calls/machine/reconnection';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import { DeadInstanceConnections, type LostParticipant } from '../../presence/dead-instance-connections';
import { type DeadInstance, DeadInstanceLeases } from '../../presence/dead-instance-leases';
import { LiveConnections } from '../live-connections';

/** A user or customer with connections to a dead instance. */
export interface FoundParticipant extends LostParticipant {
  /** The status of the customer's call; null for a user. */
  status: CallStatus | null;
}

/** Removes connections of a dead instance, each time in one transaction and only while it is marked as dead. */
@Injectable()
export class LostConnections {
  constructor(
    private readonly database: Database,
    private readonly leases: DeadInstanceLeases,
    private readonly connections: DeadInstanceConnections,
    private readonly reconnection: Reconnection,
    private readonly live: LiveConnections,
  ) {}

  /**
   * Finds each user and each customer with connections to the instance once.
   * @returns users, then customers of active calls, then other customers. The order within each group is random, so
   *   that several instances that remove them rarely wait for each other's locks
   */
  find(instance: DeadInstance): Promise<FoundParticipant[]> {
    return this.database.system((tx) =>
      tx.query<FoundParticipant>(
        `SELECT p.tenant_id, p.call_id, p.user_id, c.status FROM (
           SELECT DISTINCT tenant_id, CASE WHEN user_id IS NULL THEN call_id END AS call_id, user_id
           FROM connections WHERE instance_id = $1) AS p
         LEFT JOIN calls c ON c.tenant_id = p.tenant_id AND c.id = p.call_id
         ORDER BY p.user_id IS NULL, c.status IS DISTINCT FROM 'active', random()`,
        [instance.id],
      ),
    );
  }

  /**
   * Removes the connections to calls that have ended all together, because this affects nothing else.
   * @returns the number of removed connections
   */
  removeOfEndedCalls(instance: DeadInstance, participants: FoundParticipant[]): Promise<number> {
    const callIds = participants.flatMap(({ call_id, status }) =>
      call_id !== null && status !== null && isFinal(status) ? [call_id] : [],
    );
    return this.database.system(async (tx) => {
      const [, closed] = await settleAll([
        this.leases.lockMark(tx, instance.id),
        this.connections.closeOfCustomers(tx, instance.id, callIds),
      ]);
      return closed.length;
    });
  }

  /** Disconnects a user or a customer. @returns the number of removed connections */
  disconnect(instance: DeadInstance, participant: LostParticipant): Promise<number> {
    return this.database.tenant(participant.tenant_id, async (tx) => {
      const { tenant_id, call_id, user_id } = participant;
      const locked = user_id === null ? [] : await this.reconnection.lockCallsOfAgent(tx, tenant_id, user_id);
      // Sent together. The mark is locked after the call, so that an instance that is alive again does not wait for it.
      const [, , , closed] = await settleAll([
        this.leases.commitWithoutFlush(tx),
        call_id === null ? undefined : this.reconnection.lockCall(tx, call_id),
        this.leases.lockMark(tx, instance.id),
        this.connections.close(tx, instance.id, participant),
      ]);
      await this.live.handleClosed(tx, closed, locked, instance.last_seen);
      return closed.length;
    });
  }

  /**
   * Disconnects the customers of several calls, except those whose calls another transaction has locked.
   * @returns the number of removed connections
   */
  disconnectCustomers(instance: DeadInstance, tenantId: string, callIds: string[]): Promise<number> {
    return this.database.tenant(tenantId, async (tx) => {
      const calls = await this.reconnection.lockAvailable(tx, tenantId, callIds);
      const ids = calls.map(({ id }) => id);
      await settleAll([this.leases.commitWithoutFlush(tx), this.leases.lockMark(tx, instance.id)]);
      const closed = await this.connections.closeOfCustomers(tx, instance.id, ids);
      // Another survivor may have handled some of the calls before.
      const lost = new Set(closed);
      const callsOfLost = calls.filter(({ id }) => lost.has(id));
      await this.reconnection.customersDisconnected(tx, tenantId, callsOfLost);
      return closed.length;
    });
  }
}
