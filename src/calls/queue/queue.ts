import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/batcher';
import { Database } from '../../platform/database/database';
import { GENERIC_PLAN } from '../../platform/database/statement';
import type { Transaction } from '../../platform/database/transaction';
import type { CallListItemDto } from '../call.dto';
import type { CallStatus } from '../machine/call.machine';
import {
  COUNTS_SQL,
  FIRST_CALLS_SQL,
  LINE_SQL,
  POSITIONS_SQL,
  POSITION_SQL,
  PRESENT_UNTIL_SQL,
  SKILLED_CALLS_SQL,
} from './queue-sql';
import { estimateWait, type ServiceRate } from './queue.rules';
import { NO_RATE, serviceRateSql } from './service-rate';

/** A call's position in its department's queue, or in that of the department to which it overflowed if it is better there. */
export interface QueuePosition {
  call_id: string;
  status: CallStatus;
  version: number;
  /** 1 is next; 0 once the call is no longer queued. */
  position: number;
  /** Seconds; 0 once the call is no longer queued. */
  estimated_wait_time: number;
  /** Customers waiting in this queue. */
  queue_size: number;
}

/** A position of a call that is known to be waiting. */
export type WaitingPosition = Omit<QueuePosition, 'status'>;

/** The position of a waiting call in the line of one department. */
export interface LinePosition extends WaitingPosition {
  /** Whether the call stands in the line of another department, too, where its position may be better. */
  is_overflowed?: boolean;
}

type PositionRow = ServiceRate & Omit<QueuePosition, 'estimated_wait_time'>;

/** A position, and what is known of the absence of the customer (LastSeen), ISO 8601. */
export interface LookedUpCall {
  tenant_id: string;
  absence_deadline: string | null;
  present_until: string | null;
  position: QueuePosition;
}

/** The waiting calls of a department's line in queue order, separated by commas; null without any. */
interface QueueIdsRow {
  ids: string | null;
  versions: string | null;
  /** Those that stand in the line of another department, too. */
  overflowed: string | null;
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

/** A waiting call, with the department in whose line it was read, and figures of this line. */
type FirstCall = QueueCounts & { line_department_id: string; item: WaitingCall };

type WaitingRow = WaitingCall & Omit<FirstCall, 'item'> & { position: number };

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

  /** All waiting calls of the department's line in queue order, in one round trip. */
  async positionsOf(tenantId: string, departmentId: string): Promise<LinePosition[]> {
    const values = [tenantId, departmentId];
    const [rates, [queue], skilled] = await this.database.readTenant<
      [ServiceRate, QueueIdsRow, SkilledCallsRow]
    >(tenantId, [
      {
        text: `SELECT ${serviceRateSql()} FROM departments d WHERE d.tenant_id = $1 AND d.id = $2`,
        values,
      },
      { text: LINE_SQL, values },
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
    const overflowed = new Set(queue?.overflowed?.split(','));
    return ids.map((call_id, index) => ({
      call_id,
      version: Number(versions[index]),
      position: index + 1,
      estimated_wait_time: estimateWait(index + 1, skilledRates.get(call_id) ?? rate),
      queue_size: ids.length,
      ...(overflowed.has(call_id) && { is_overflowed: true }),
    }));
  }

  /** The positions of waiting calls, each the better one of its lines; calls that have left their queues are left out. */
  async bestPositionsOf(tenantId: string, callIds: string[]): Promise<WaitingPosition[]> {
    const positions = await this.readPositions(tenantId, callIds);
    return positions.filter((position) => position !== undefined).filter(({ position }) => position > 0);
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

  /** The first `limit` calls of each department's line, in queue order, each with figures of the whole line. */
  async firstCalls(tenantId: string, departmentIds: string[], limit: number): Promise<FirstCall[]> {
    if (departmentIds.length === 0) return [];
    const [, rows] = await this.database.readTenant<[object, WaitingRow]>(tenantId, [
      GENERIC_PLAN,
      {
        text: FIRST_CALLS_SQL,
        values: [tenantId, departmentIds, limit],
      },
    ]);
    return rows.map(
      ({ line_department_id, queue_size, longest_waits_since, position: _position, ...item }) => ({
        line_department_id,
        item,
        queue_size,
        longest_waits_since,
      }),
    );
  }
}

function positionFrom(row: PositionRow): QueuePosition {
  const { call_id, status, version, position, queue_size } = row;
  const estimated_wait_time = position > 0 ? estimateWait(position, row) : 0;
  return { call_id, status, version, position, estimated_wait_time, queue_size };
}
