import { Injectable } from '@nestjs/common';
import { settleAll } from '../platform/database/settle-all';
import type { Transaction } from '../platform/database/transaction';
import { InstanceHeartbeat } from './instance-heartbeat';

/** An open socket: of a staff member, of an agent in one call, or of a customer in their call. */
export interface Connection {
  tenant_id: string;
  socket_id: string;
  /** Null for a customer. */
  user_id: string | null;
  /** Null for a staff member's socket outside of calls. */
  call_id: string | null;
}

/** A connection that is added. */
export interface NewConnection extends Connection {
  /** Of the page whose socket it is; null outside of calls. */
  session: string | null;
}

/** A connection that was removed. */
export interface ClosedConnection extends Connection {
  /** Of the page whose socket it was; the id of a socket whose page had none. */
  session: string;
  /** Whether another page of the same side, which joined the call before, stays. */
  has_earlier_page: boolean;
}

/** The columns of a ClosedConnection, of `connections o`. */
export const CLOSED_COLUMNS = `o.tenant_id, o.socket_id, o.user_id, o.call_id, COALESCE(o.session, o.socket_id) AS session,
  EXISTS (SELECT FROM connections e WHERE e.call_id = o.call_id AND e.user_id IS NOT DISTINCT FROM o.user_id
    AND e.inserted_at <= o.inserted_at
    AND COALESCE(e.session, e.socket_id) <> COALESCE(o.session, o.socket_id)) AS has_earlier_page`;

/** The sessions of the pages by which the customer of a call is connected, as an array. @param call SQL for its id */
export const pagesOfCustomer = (call: string) => `ARRAY(
  SELECT COALESCE(session, socket_id) FROM connections WHERE call_id = ${call} AND user_id IS NULL)`;

/** The socket of a customer in their call. */
export interface CustomerSocket {
  call_id: string;
  socket_id: string;
}

/** A socket of a customer that connects. */
export interface NewCustomerSocket extends CustomerSocket {
  session: string;
}

/** A time after those of the other sockets of the user in the call. The parameters are named by their number. */
const afterOthers = (call: string, user: string, socket: string) =>
  `GREATEST(now(), (SELECT max(inserted_at) + interval '1 millisecond' FROM connections
     WHERE call_id = ${call} AND user_id = ${user} AND socket_id <> ${socket}))`;

/** The open sockets of all instances, as rows that count as long as their instance's lease. */
@Injectable()
export class Connections {
  constructor(private readonly instance: InstanceHeartbeat) {}

  /**
   * A connection to a call is the newest one of its user there, also if it already existed. Its time is later than those of
   * the others, because a transaction that waited for the call's lock may have begun before those that joined meanwhile.
   * @returns false if the connection already existed
   */
  async open(tx: Transaction, connection: NewConnection): Promise<boolean> {
    const { tenant_id, socket_id, user_id, call_id, session } = connection;
    const opened = await tx.query(
      `INSERT INTO connections (tenant_id, instance_id, socket_id, user_id, call_id, session, inserted_at)
       VALUES ($1, $2, $3, $4, $5, $6, ${afterOthers('$5', '$4', '$3')})
       ON CONFLICT ON CONSTRAINT connections_socket_key DO NOTHING RETURNING id`,
      [tenant_id, this.instance.id, socket_id, user_id, call_id, session],
    );
    if (opened.length > 0) return true;
    // The page may have sent its session only now.
    tx.send({
      text: `UPDATE connections SET session = $3, inserted_at = ${afterOthers('$2', '$4', '$1')}
             WHERE socket_id = $1 AND call_id = $2`,
      values: [socket_id, call_id, session, user_id],
    });
    return false;
  }

  /**
   * Adds connections of customers.
   * @param sockets in the order in which they connected
   * @returns the oldest sockets of their calls, on all instances, that exceed the number for one call
   */
  async exceedingAfter(
    tx: Transaction,
    tenantId: string,
    sockets: NewCustomerSocket[],
    maxSockets: number,
  ): Promise<CustomerSocket[]> {
    if (sockets.length === 0) return [];
    const calls = sockets.map(({ call_id }) => call_id);
    // Sockets of one call get different times, later than those of the sockets before them, so that the oldest ones are
    // known: a transaction that waited for the call's lock may have begun before those that added sockets meanwhile.
    const opening = tx.query(
      `INSERT INTO connections (tenant_id, instance_id, call_id, socket_id, session, inserted_at)
       SELECT $1, $2, call_id, socket_id, session, GREATEST(now(), newest.inserted_at + interval '1 millisecond')
         + (row_number() OVER (PARTITION BY call_id ORDER BY number) - 1) * interval '1 millisecond'
       FROM unnest($3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS opened (call_id, socket_id, session, number)
       CROSS JOIN LATERAL (
         SELECT max(inserted_at) AS inserted_at FROM connections
         WHERE connections.call_id = opened.call_id AND user_id IS NULL) AS newest
       ON CONFLICT ON CONSTRAINT connections_socket_key DO NOTHING`,
      [
        tenantId,
        this.instance.id,
        calls,
        sockets.map(({ socket_id }) => socket_id),
        sockets.map(({ session }) => session),
      ],
    );
    const exceeding = tx.query<CustomerSocket>(
      `SELECT call_id, socket_id FROM (
         SELECT call_id, socket_id, row_number() OVER (PARTITION BY call_id ORDER BY inserted_at DESC, id) AS number
         FROM connections WHERE user_id IS NULL AND call_id = ANY ($1)) AS open
       WHERE number > $2`,
      [calls, maxSockets],
    );
    await settleAll([opening, exceeding]);
    return exceeding;
  }

  /**
   * The oldest sockets of the customer of a call, or of a user, on all instances, that exceed the number. Sockets in calls
   * do not count twice.
   */
  async findSurplus(
    tx: Transaction,
    { user_id, call_id }: Connection,
    maxSockets: number,
  ): Promise<string[]> {
    const found = await tx.query<{ socket_id: string }>(
      `SELECT socket_id FROM connections
       WHERE ${user_id === null ? 'user_id IS NULL AND call_id' : 'call_id IS NULL AND user_id'} = $1
       ORDER BY inserted_at DESC, id OFFSET $2`,
      [user_id ?? call_id, maxSockets],
    );
    return found.map(({ socket_id }) => socket_id);
  }

  /** The sockets that are recorded for this instance. */
  async ofThisInstance(tx: Transaction): Promise<{ socket_id: string; tenant_id: string }[]> {
    return tx.query('SELECT DISTINCT socket_id, tenant_id FROM connections WHERE instance_id = $1', [
      this.instance.id,
    ]);
  }

  /** @returns the connections of the socket, now removed */
  close(tx: Transaction, socketId: string): Promise<ClosedConnection[]> {
    return tx.query<ClosedConnection>(
      `DELETE FROM connections o WHERE o.socket_id = $1 RETURNING ${CLOSED_COLUMNS}`,
      [socketId],
    );
  }

  /** Removes connections of customers. @returns those that existed */
  async closeAll(tx: Transaction, sockets: CustomerSocket[]): Promise<ClosedConnection[]> {
    if (sockets.length === 0) return [];
    return tx.query<ClosedConnection>(
      `DELETE FROM connections o WHERE o.socket_id = ANY ($1) AND o.user_id IS NULL RETURNING ${CLOSED_COLUMNS}`,
      [sockets.map(({ socket_id }) => socket_id)],
    );
  }

  /** @returns those of the calls whose customer has an open socket */
  async callsWithCustomer(tx: Transaction, callIds: string[]): Promise<Set<string>> {
    const found = await tx.query<{ call_id: string }>(
      'SELECT DISTINCT call_id FROM connections WHERE call_id = ANY ($1) AND user_id IS NULL',
      [callIds],
    );
    return new Set(found.map(({ call_id }) => call_id));
  }

  /** Disconnects the user's sockets from a call that was handed over, without waiting; the sockets stay open. */
  leaveCall(tx: Transaction, callId: string, userId: string): void {
    tx.send({
      text: 'DELETE FROM connections WHERE call_id = $1 AND user_id = $2',
      values: [callId, userId],
    });
  }

  /**
   * Whether the customer of the call and its agent have an open socket. Any socket of the agent counts.
   * @param userId the agent, or null
   */
  async inCall(
    tx: Transaction,
    callId: string,
    userId: string | null,
  ): Promise<{ customer: boolean; agent: boolean }> {
    const present = await tx.one<{ customer: boolean; agent: boolean }>(
      `SELECT EXISTS (SELECT FROM connections WHERE call_id = $1 AND user_id IS NULL) AS customer,
         EXISTS (SELECT FROM connections WHERE user_id = $2) AS agent`,
      [callId, userId],
    );
    return present ?? { customer: false, agent: false };
  }
}
