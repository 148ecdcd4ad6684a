import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Batcher } from '../batcher';
import { Database } from '../../platform/database/database';
import { GENERIC_PLAN } from '../../platform/database/statement';
import type { Transaction } from '../../platform/database/transaction';
import type { RequiredSkillDto } from '../../access-links/required-skill.dto';
import type { HoursRow } from '../../departments/hours/department-hours.rules';
import type { CallListItemDto } from '../call-list.dto';
import { LearnedWaitsCache, NO_LEARNED_WAITS } from './learning/learned-waits-cache';
import { type LineRow, type SkilledCallsRow, walkLine } from './line-walk.rules';
import { POSITION_SQL, POSITIONS_SQL } from './position-sql';
import { COUNTS_SQL, FIRST_CALLS_SQL, lineSql, PRESENT_UNTIL_SQL, SKILLED_CALLS_SQL } from './queue-sql';
import {
  type LinePosition,
  type PositionRow,
  positionFrom,
  type QueuePosition,
  type WaitingPosition,
} from './queue-position.rules';

export type { LinePosition, QueuePosition, WaitingPosition } from './queue-position.rules';

/** A position, and what is known of the absence of the customer (LastSeen), ISO 8601. */
export interface LookedUpCall {
  tenant_id: string;
  absence_deadline: string | null;
  present_until: string | null;
  position: QueuePosition;
}

/** A waiting call as its staff see it in the queue. */
export interface WaitingCall extends CallListItemDto {
  /** When the customer was last seen; null while they have an open socket. */
  absent_since: string | null;
  /** Waiting calls of this queue from the same client address, this one included. */
  calls_from_address: number;
  priority: number;
  skills: RequiredSkillDto[];
}

/**
 * The size of a queue, since when its longest waiting call waits in it, null without any whose customer is there, and the
 * opening hours of its department.
 */
export interface QueueCounts extends HoursRow {
  /** Of the department; null if it was deleted meanwhile. */
  line_name: string | null;
  queue_size: number;
  longest_waits_since: Date | string | null;
}

/**
 * A waiting call, with the department in whose line it was read, and figures of this line; an empty line is one without. Only
 * the first one has the opening hours.
 */
type FirstCall = QueueCounts & { line_department_id: string; item: WaitingCall | null };

type WaitingRow = WaitingCall & Omit<FirstCall, 'item'> & { position: number | null };

const LINE_SQL = lineSql(false);
const LINE_WITH_JOINS_SQL = lineSql(true);

/** Positions that one statement computes: it reads the whole queue, however few of its calls are asked for. */
const MAX_POSITIONS = 200;

/**
 * For positions that are asked for at the same moment, as when thousands of sockets connect. A shorter interval would read the
 * queue more often for fewer calls, and the time that this takes PostgreSQL would delay them more than the interval does.
 */
const POSITIONS_INTERVAL_MS = 50;

/**
 * The only reader of positions. Positions are computed, never stored, so they are 1…n without gaps or duplicates.
 */
@Injectable()
export class Queue {
  private readonly positions = new Batcher<string, QueuePosition | undefined>(
    (tenantId, ids) => this.readPositions(tenantId, ids),
    MAX_POSITIONS,
    POSITIONS_INTERVAL_MS,
  );

  constructor(
    private readonly database: Database,
    private readonly learned: LearnedWaitsCache,
    private readonly clock: Clock,
  ) {}

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
    const waiting = rows.filter(({ position }) => position > 0);
    const learned = await this.learned.ofAll(waiting.map(({ department_id }) => department_id));
    const now = this.clock.now();
    const positions = new Map(
      rows.map((row) => [row.call_id, positionFrom(row, learned(row.department_id), now)]),
    );
    return callIds.map((id) => positions.get(id));
  }

  /** As positionOf, but sees what the open transaction has written. */
  async positionIn(tx: Transaction, callId: string): Promise<QueuePosition | undefined> {
    const row = await tx.one<PositionRow>(POSITION_SQL, [callId]);
    if (!row || row.position === 0) return row && positionFrom(row, NO_LEARNED_WAITS, this.clock.now());
    return positionFrom(row, await this.learned.in(tx, row.department_id), this.clock.now());
  }

  /** All waiting calls of the department's line in queue order, in one round trip. */
  async positionsOf(tenantId: string, departmentId: string): Promise<LinePosition[]> {
    const values = [tenantId, departmentId];
    const learned = await this.learned.of(departmentId);
    const [[line], skilled] = await this.database.readTenant<[LineRow, SkilledCallsRow]>(tenantId, [
      { text: learned.inUse === 'queue_length' ? LINE_SQL : LINE_WITH_JOINS_SQL, values },
      { text: SKILLED_CALLS_SQL, values },
    ]);
    return line ? walkLine(line, skilled, learned, this.clock.now()) : [];
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
    const [rows] = await this.database.readTenant<[WaitingRow]>(tenantId, [
      {
        text: FIRST_CALLS_SQL,
        values: [tenantId, departmentIds, limit],
        settings: GENERIC_PLAN,
      },
    ]);
    return rows.map(({ position, ...row }) => {
      const { line_department_id, line_name, queue_size, longest_waits_since, ...rest } = row;
      const { opening_hours, tenant_timezone, ...item } = rest;
      return {
        line_department_id,
        line_name,
        item: position === null ? null : item,
        queue_size,
        longest_waits_since,
        opening_hours,
        tenant_timezone,
      };
    });
  }
}
