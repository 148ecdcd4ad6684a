import { Injectable } from '@nestjs/common';
import { Reconnection } from '../../calls/machine/reconnection';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import { Connections, type LostParticipant } from '../../presence/connections';
import { type DeadInstance, DeadInstanceLeases } from '../../presence/dead-instance-leases';
import { LiveConnections } from '../live-connections';

/** Removes connections of a dead instance, each time in one transaction and only while it is marked as dead. */
@Injectable()
export class LostConnections {
  constructor(
    private readonly database: Database,
    private readonly leases: DeadInstanceLeases,
    private readonly connections: Connections,
    private readonly reconnection: Reconnection,
    private readonly live: LiveConnections,
  ) {}

  /** @returns the number of removed connections */
  removeOfEndedCalls(instance: DeadInstance): Promise<number> {
    return this.database.system(async (tx) => {
      const [, count] = await settleAll([
        this.leases.lockMark(tx, instance.id).then(() => 0),
        this.connections.closeOfEndedCalls(tx, instance.id),
      ]);
      return count ?? 0;
    });
  }

  /** Disconnects a user or a customer. @returns the number of removed connections */
  disconnect(instance: DeadInstance, participant: LostParticipant): Promise<number> {
    return this.database.tenant(participant.tenant_id, async (tx) => {
      const { tenant_id, call_id, user_id } = participant;
      if (user_id !== null) await this.reconnection.lockCallsOfAgent(tx, tenant_id, user_id);
      // Sent together. The mark is locked after the call, so that an instance that is alive again does not wait for it.
      const [, , , closed] = await settleAll([
        this.leases.commitWithoutFlush(tx),
        call_id === null ? undefined : this.reconnection.lockCall(tx, call_id),
        this.leases.lockMark(tx, instance.id),
        this.connections.closeOfInstance(tx, instance.id, participant),
      ]);
      await this.live.handleClosed(tx, closed, instance.last_seen);
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
