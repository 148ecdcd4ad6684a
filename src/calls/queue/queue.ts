import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/batcher';
import { Database } from '../../platform/database/database';
import { GENERIC_PLAN } from '../../platform/database/statement';
import type { Transaction } from '../../platform/database/transaction';
import type { CallListItemDto } from '../call.dto';
import type { CallbackDto } from '../callbacks/callback.dto';
import type { CallStatus } from '../machine/call.machine';
import { QUEUE_ORDER_SQL } from './queue-order';
import {
  COUNTS_SQL,
  FIRST_CALLS_SQL,
  POSITIONS_SQL,
  POSITION_SQL,
  PRESENT_UNTIL_SQL,
  SKILLED_CALLS_SQL,
} from './queue-sql';
import { estimateWait, type ServiceRate } from './queue.rules';
import { NO_RATE, serviceRateSql } from './service-rate';

/** A call's position in its department's queue. */
export interface QueuePosition {
  call_id: string;
  status: CallStatus;
  version: number;
  /** 1 is next; 0 once the call is no longer queued. */
  position: number;
  /** Seconds; 0 once the call is no longer queued. */
  estimated_wait_time: number;
  /** Customers waiting in the department. */
  queue_size: number;
  /** Null if the customer never requested one. */
  callback: CallbackDto | null;
}

/** A position of a call that is known to be waiting. */
export type WaitingPosition = Omit<QueuePosition, 'status' | 'callback'>;

type PositionRow = ServiceRate & Omit<QueuePosition, 'estimated_wait_time'>;

/** A position, and what is known of the absence of the customer (LastSeen), ISO 8601. */
export interface LookedUpCall {
  tenant_id: string;
  absence_deadline: string | null;
  present_until: string | null;
  position: QueuePosition;
}

/** The waiting calls of a department in queue order, separated by commas; null without any. */
interface QueueIdsRow {
  ids: string | null;
  versions: string | null;
}

/** The calls that require the same skills, separated by commas, and the agents who have these. */
interface SkilledCallsRow {
  ids: string;
  online_agents: number;
}

/** A waiting call as its staff see it in the queue. */
export interface WaitingCall extends CallListItemDto {
  /** When the customer was last seen; null while they have an open socket. */
  absent_since: string | null;
  /** Waiting calls of this queue from the same client address, this one included. */
  calls_from_address: number;
}

/** The size of a queue, and since when its longest waiting call waits in it; null for an empty one. */
export interface QueueCounts {
  queue_size: number;
  longest_waits_since: Date | string | null;
}

/** A waiting call, with figures of its queue. */
type FirstCall = QueueCounts & { item: WaitingCall };

type WaitingRow = WaitingCall & QueueCounts & { position: number };

/** Positions that one statement computes: it reads the whole queue, however few of its calls are asked for. */
const MAX_POSITIONS = 200;

/**
 * The only reader of positions. Positions are computed, never stored, so they are 1…n without gaps or duplicates.
 */
@Injectable()
export class Queue {
  private readonly positions = new Batcher<string, QueuePosition | undefined>(
    (tenantId, ids) => this.readPositions(tenantId, ids),
    MAX_POSITIONS,
  );

  constructor(private readonly database: Database) {}

  /**
   * For callers that know only the call's id. Positions that are asked for at the same moment are computed together, as
   * those of sockets: each computation reads the whole queue.
   * @returns undefined for an unknown call
   */
  async lookUp(callId: string): Promise<LookedUpCall | undefined> {
    const [[call]] = await this.database.readSystem<[Omit<LookedUpCall, 'position'>]>([
      {
        text: `SELECT c.tenant_id, c.absence_deadline, ${PRESENT_UNTIL_SQL}
          FROM calls c LEFT JOIN departments d ON d.id = c.department_id WHERE c.id = $1`,
        values: [callId],
      },
    ]);
    const position = call && (await this.positionOf(call.tenant_id, callId));
    return position && { ...call, position };
  }

  /** @returns undefined for a call that the tenant does not have */
  positionOf(tenantId: string, callId: string): Promise<QueuePosition | undefined> {
    return this.positions.run(tenantId, callId);
  }

  /** However many calls there are, the queues of their departments are read once. */
  private async readPositions(tenantId: string, callIds: string[]): Promise<(QueuePosition | undefined)[]> {
    // For one call, counting those ahead of it costs less than numbering the queue.
    const statement =
      callIds.length === 1
        ? { text: POSITION_SQL, values: callIds }
        : { text: POSITIONS_SQL, values: [tenantId, callIds] };
    const [rows] = await this.database.readTenant<[PositionRow]>(tenantId, [statement]);
    const positions = new Map(rows.map((row) => [row.call_id, positionFrom(row)]));
    return callIds.map((id) => positions.get(id));
  }

  /** As positionOf, but sees what the open transaction has written. */
  async positionIn(tx: Transaction, callId: string): Promise<QueuePosition | undefined> {
    const row = await tx.one<PositionRow>(POSITION_SQL, [callId]);
    return row && positionFrom(row);
  }

  /**
   * All waiting calls of the department in queue order, in one round trip. PostgreSQL joins their ids to one text: reading
   * thousands of rows would take the event loop several times as long.
   */
  async positionsOf(tenantId: string, departmentId: string): Promise<WaitingPosition[]> {
    const values = [tenantId, departmentId];
    const [rates, [queue], skilled] = await this.database.readTenant<
      [ServiceRate, QueueIdsRow, SkilledCallsRow]
    >(tenantId, [
      {
        text: `SELECT ${serviceRateSql()} FROM departments d WHERE d.tenant_id = $1 AND d.id = $2`,
        values,
      },
      {
        text: `SELECT string_agg(id::text, ',' ORDER BY ${QUEUE_ORDER_SQL}) AS ids,
                 string_agg(version::text, ',' ORDER BY ${QUEUE_ORDER_SQL}) AS versions
               FROM calls WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued'`,
        values,
      },
      { text: SKILLED_CALLS_SQL, values },
    ]);
    const rate = rates[0] ?? NO_RATE;
    const skilledRates = new Map(
      skilled.flatMap(({ ids: group, online_agents }) =>
        group.split(',').map((id) => [id, { ...rate, online_agents }] as const),
      ),
    );
    const ids = queue?.ids?.split(',') ?? [];
    const versions = queue?.versions?.split(',') ?? [];
    return ids.map((call_id, index) => ({
      call_id,
      version: Number(versions[index]),
      position: index + 1,
      estimated_wait_time: estimateWait(index + 1, skilledRates.get(call_id) ?? rate),
      queue_size: ids.length,
    }));
  }

  async countsOf(tenantId: string, departmentId: string): Promise<QueueCounts | undefined> {
    const [[counts]] = await this.database.readTenant<[QueueCounts]>(tenantId, [
      {
        text: COUNTS_SQL('$2'),
        values: [tenantId, departmentId],
      },
    ]);
    return counts;
  }

  /** The first `limit` calls of each department's queue, in queue order, each with figures of the whole queue. */
  async firstCalls(tenantId: string, departmentIds: string[], limit: number): Promise<FirstCall[]> {
    if (departmentIds.length === 0) return [];
    const [, rows] = await this.database.readTenant<[object, WaitingRow]>(tenantId, [
      GENERIC_PLAN,
      {
        text: FIRST_CALLS_SQL,
        values: [tenantId, departmentIds, limit],
      },
    ]);
    return rows.map(({ queue_size, longest_waits_since, position: _position, ...item }) => ({
      item,
      queue_size,
      longest_waits_since,
    }));
  }
}

function positionFrom(row: PositionRow): QueuePosition {
  const { call_id, status, version, position, queue_size, callback } = row;
  const estimated_wait_time = position > 0 ? estimateWait(position, row) : 0;
  return { call_id, status, version, position, estimated_wait_time, queue_size, callback };
}
