import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { CLOSED_COLUMNS, type ClosedConnection, type Connection } from './connections';

/** The customer of a call, or a user with all of their sockets: the other id is null. */
export type LostParticipant = Pick<Connection, 'tenant_id' | 'call_id' | 'user_id'>;

/** The caller holds the lock of the mark (DeadInstanceLeases), so it cannot be cleared meanwhile. */
const IS_MARKED = 'EXISTS (SELECT FROM instances i WHERE i.id = $1 AND i.dead_at IS NOT NULL)';

/** Removes the connections of an instance, as long as it is marked as dead. */
@Injectable()
export class DeadInstanceConnections {
  /** @returns the connections of this customer or user to the instance, now removed; none if it is no longer marked */
  close(
    tx: Transaction,
    instanceId: string,
    { call_id, user_id }: LostParticipant,
  ): Promise<ClosedConnection[]> {
    return tx.query<ClosedConnection>(
      `DELETE FROM connections o
       WHERE o.instance_id = $1 AND (o.user_id = $3 OR ($3::uuid IS NULL AND o.user_id IS NULL AND o.call_id = $2))
         AND ${IS_MARKED} RETURNING ${CLOSED_COLUMNS}`,
      [instanceId, call_id, user_id],
    );
  }

  /**
   * As `close`, for the customers of several calls.
   * @returns the call of each removed connection
   */
  async closeOfCustomers(tx: Transaction, instanceId: string, callIds: string[]): Promise<string[]> {
    const closed = await tx.query<{ call_id: string }>(
      `DELETE FROM connections
       WHERE instance_id = $1 AND user_id IS NULL AND call_id = ANY ($2) AND ${IS_MARKED} RETURNING call_id`,
      [instanceId, callIds],
    );
    return closed.map(({ call_id }) => call_id);
  }
}
