import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction';
import { InstanceHeartbeat } from './instance-heartbeat';

/** An open socket of a member of staff, of an agent in one call, or of a customer in their call. */
export interface Connection {
  tenant_id: string;
  socket_id: string;
  /** Null for a customer. */
  user_id: string | null;
  /** Null for a member of staff who is merely connected. */
  call_id: string | null;
}

/** The open sockets of all instances, as rows that live as long as their instance's lease. */
@Injectable()
export class Connections {
  constructor(private readonly instance: InstanceHeartbeat) {}

  /** @returns whether it was not open already */
  async open(tx: Transaction, connection: Connection): Promise<boolean> {
    const opened = await tx.query(
      `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id, call_id)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT connections_socket_key DO NOTHING RETURNING id`,
      [connection.tenant_id, this.instance.id, connection.socket_id, connection.user_id, connection.call_id],
    );
    return opened.length > 0;
  }

  /** The sockets that this instance is said to hold. */
  async ofThisInstance(tx: Transaction): Promise<{ socket_id: string; tenant_id: string }[]> {
    return tx.query('SELECT DISTINCT socket_id, tenant_id FROM connections WHERE instance_id = $1', [
      this.instance.id,
    ]);
  }

  /** @returns everything the socket was connected to */
  close(tx: Transaction, socketId: string): Promise<Connection[]> {
    return tx.query<Connection>(
      `DELETE FROM connections WHERE socket_id = $1 RETURNING tenant_id, socket_id, user_id, call_id`,
      [socketId],
    );
  }

  /** @returns everything that was connected through the instance */
  closeAllOf(tx: Transaction, instanceId: string): Promise<Connection[]> {
    return tx.query<Connection>(
      `DELETE FROM connections WHERE instance_id = $1 RETURNING tenant_id, socket_id, user_id, call_id`,
      [instanceId],
    );
  }

  /** The user's sockets are out of the call, though they stay open: it has been handed to somebody else. */
  async leaveCall(tx: Transaction, callId: string, userId: string): Promise<void> {
    await tx.query('DELETE FROM connections WHERE call_id = $1 AND user_id = $2', [callId, userId]);
  }

  /** Whether the call has an open socket of its customer (`userId` null) or of that agent. */
  async isInCall(tx: Transaction, callId: string, userId: string | null): Promise<boolean> {
    const found = await tx.query(
      'SELECT FROM connections WHERE call_id = $1 AND user_id IS NOT DISTINCT FROM $2 LIMIT 1',
      [callId, userId],
    );
    return found.length > 0;
  }
}
