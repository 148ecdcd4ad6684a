import { Injectable } from '@nestjs/common';
import { OWN_DEPARTMENTS } from '../../identity/users/visible-records';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { notFound } from '../../platform/http/errors/api-error';
import type { Call } from '../call.entity';
import type { CallStatus } from '../machine/call.machine';
import { CallTransitions } from '../machine/call-transitions';
import { Filter } from '../../platform/database/filter';

/**
 * Whether an agent has had a part in the call, which only a transfer can have ended before the call. A scalar subquery is
 * evaluated for transferred calls alone; EXISTS would read all parts of the agent first.
 */
const HAD_PART = '(SELECT true FROM call_parts p WHERE p.call_id = c.id AND p.user_id = ? LIMIT 1)';

/** Whether the call is being offered to an agent: from the queue, or as a transfer. Only open calls have offers. */
const IS_OFFERED = `(SELECT true FROM offers o
  WHERE o.tenant_id = c.tenant_id AND o.call_id = c.id AND o.user_id = ? AND o.status = 'pending')`;

/**
 * The calls `c` that a staff member may see. A restricted attendant sees those assigned or offered to them, those that they
 * have had before a transfer, those of the departments they belong to, and those that wait in the lines of these.
 */
export function visibleCalls({ tenant_id, user_id, restricted }: Principal): Filter {
  const filter = new Filter().and('c.tenant_id = ?', tenant_id);
  if (restricted) {
    filter.and(
      `(c.user_id = ? OR c.department_id IN ${OWN_DEPARTMENTS}
        OR (c.status = 'queued' AND c.overflow_department_id IN ${OWN_DEPARTMENTS})
        OR (c.transferred_at IS NOT NULL AND ${HAD_PART})
        OR (c.ended_at IS NULL AND ${IS_OFFERED}))`,
      user_id,
    );
  }
  return filter;
}

export interface CallState {
  status: CallStatus;
  user_id: string | null;
  version: number;
  /** The session of the page that took the call over from the customer's other pages; null until one does. */
  holder_session: string | null;
  /** The session of the newest socket of the customer that gets signals; null without one. */
  customer_session: string | null;
  /** The id of the socket of the agent that joined the call last, and its session; null without one. */
  agent_socket: string | null;
  agent_session: string | null;
  /** Whether the agent has a socket, in the call or not. */
  has_agent_socket: boolean;
}

export interface IdentifiedCallState extends CallState {
  tenant_id: string;
  id: string;
}

/** The session of the page of a socket: of a client that sends none, the id of the socket. */
const SESSION = 'COALESCE(o.session, o.socket_id)';

const ofLastJoined = (column: string) =>
  `(SELECT ${column} FROM connections o WHERE o.call_id = c.id AND o.user_id = c.user_id
    ORDER BY o.inserted_at DESC, o.id LIMIT 1)`;

/** The columns of a CallState. */
const STATE = `c.status, c.user_id, c.version, c.holder_session,
  (SELECT ${SESSION} FROM connections o
    WHERE o.call_id = c.id AND o.user_id IS NULL AND (c.holder_session IS NULL OR ${SESSION} = c.holder_session)
    ORDER BY o.inserted_at DESC, o.id LIMIT 1) AS customer_session,
  ${ofLastJoined('o.socket_id')} AS agent_socket, ${ofLastJoined(SESSION)} AS agent_session,
  EXISTS (SELECT FROM connections o WHERE o.user_id = c.user_id) AS has_agent_socket`;

/** Reaches a single call on behalf of a staff member. A call that they may not see is answered like an unknown one. */
@Injectable()
export class CallAccess {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
  ) {}

  /** @throws 404 */
  async ensureVisible(tx: Transaction, user: Principal, callId: string): Promise<void> {
    const filter = visibleCalls(user).and('c.id = ?', callId);
    const found = await tx.query(`SELECT FROM calls c ${filter.sql}`, filter.values);
    if (found.length === 0) throw notFound('Call');
  }

  /**
   * Reads a call's state without locking it.
   * @param viewer a staff member, or the tenant alone for the call's customer
   * @returns undefined for a call that the viewer may not see
   */
  async stateFor(
    viewer: Principal | Pick<Principal, 'tenant_id'>,
    callId: string,
  ): Promise<CallState | undefined> {
    const visible =
      'user_id' in viewer ? visibleCalls(viewer) : new Filter().and('c.tenant_id = ?', viewer.tenant_id);
    const { sql, values } = visible.and('c.id = ?', callId);
    const [rows] = await this.database.readTenant<[CallState]>(viewer.tenant_id, [
      {
        text: `SELECT ${STATE} FROM calls c ${sql}`,
        values,
      },
    ]);
    return rows[0];
  }

  /** Reads the states of calls without locking them. @param tenantId undefined for calls of any tenants */
  async statesOf(callIds: string[], tenantId?: string): Promise<IdentifiedCallState[]> {
    const statement = {
      text: `SELECT c.tenant_id, c.id, ${STATE} FROM calls c WHERE c.id = ANY ($1)`,
      values: [callIds],
    };
    const [rows] = await (tenantId === undefined
      ? this.database.readSystem<[IdentifiedCallState]>([statement])
      : this.database.readTenant<[IdentifiedCallState]>(tenantId, [statement]));
    return rows;
  }

  /** Locks the call until the transaction ends. @throws 404 */
  async lockVisible(tx: Transaction, user: Principal, callId: string): Promise<Call> {
    return this.transitions.lockWhere(tx, visibleCalls(user).and('c.id = ?', callId));
  }
}
