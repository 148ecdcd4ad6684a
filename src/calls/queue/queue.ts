import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/batcher';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { CALL_LIST_COLUMNS } from '../call.columns';
import type { CallListItemDto } from '../call.dto';
import type { CallStatus } from '../machine/call.machine';
import { QUEUE_ORDER_SQL, rankOf } from './queue-order';
import { estimateWait, type ServiceRate } from './queue.rules';
import { NO_RATE, onlineAgentsSql, serviceRateSql, skillsOfEntry } from './service-rate';

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
}

/** A position of a call that is known to be waiting. */
export type WaitingPosition = Omit<QueuePosition, 'status'>;

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

/** A transferred call waits in its department since the transfer, not since the customer joined. */
const WAITS_SINCE_SQL = 'GREATEST(c.inserted_at, c.transferred_at)';

/** Until when a customer is present without a socket, in the line or if the call returns to it. Infinite times, which JSON does not have, are avoided. */
const PRESENT_UNTIL_SQL = `CASE WHEN d.routing <> 'automatic' THEN NULL
    WHEN c.absence_deadline IS NOT NULL THEN (
      SELECT GREATEST(e.present_until, c.inserted_at) FROM line_entries e
      WHERE e.call_id = c.id AND e.department_id = c.department_id)
    WHEN c.status = 'assigned' THEN GREATEST(c.seen_at + interval '30 s', c.inserted_at) END AS present_until`;

const POSITION_SQL = `SELECT c.id AS call_id, c.status, c.version, ${serviceRateSql(skillsOfEntry('e'))},
    queue.position, queue.queue_size
  FROM calls c LEFT JOIN departments d ON d.id = c.department_id
    LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = c.department_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS queue_size, count(*) FILTER (WHERE ${rankOf('q')} <= ${rankOf('c')})::int AS position
      FROM calls q
      WHERE c.status = 'queued' AND q.tenant_id = c.tenant_id AND q.department_id = c.department_id
        AND q.status = 'queued') queue
  WHERE c.id = $1`;

/** The positions of several calls of a tenant. */
const POSITIONS_SQL = `WITH asked AS MATERIALIZED (
    SELECT c.id, c.status, c.version, c.department_id, COALESCE(e.skill_ids, '{}') AS skill_ids,
      COALESCE(e.min_levels, '{}') AS min_levels
    FROM calls c LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = c.department_id
    WHERE c.tenant_id = $1 AND c.id = ANY ($2)),
  asked_departments AS MATERIALIZED (SELECT DISTINCT department_id AS id FROM asked WHERE status = 'queued'),
  rates AS MATERIALIZED (
    SELECT d.id, asked_skills.skill_ids, asked_skills.min_levels, ${serviceRateSql(skillsOfEntry('asked_skills'))}
    FROM (SELECT DISTINCT department_id, skill_ids, min_levels FROM asked WHERE status = 'queued') asked_skills
      JOIN departments d ON d.tenant_id = $1 AND d.id = asked_skills.department_id),
  positions AS MATERIALIZED (
    SELECT q.id, row_number() OVER line::int AS position, count(*) OVER department::int AS queue_size
    FROM asked_departments JOIN calls q
      ON q.tenant_id = $1 AND q.department_id = asked_departments.id AND q.status = 'queued'
    WINDOW department AS (PARTITION BY q.department_id), line AS (department ORDER BY ${QUEUE_ORDER_SQL}))
  SELECT c.id AS call_id, c.status, c.version, r.mean_handle_time, r.online_agents,
    COALESCE(p.position, 0) AS position, COALESCE(p.queue_size, 0) AS queue_size
  FROM asked c LEFT JOIN positions p ON p.id = c.id LEFT JOIN rates r
    ON r.id = c.department_id AND r.skill_ids = c.skill_ids AND r.min_levels = c.min_levels`;

/**
 * The agents for the calls of a department that require skills, by combination of skills: one index range, which is empty
 * for most departments. Calls of customers who are absent are left out, and have no socket.
 */
const SKILLED_CALLS_SQL = `SELECT l.ids, ${onlineAgentsSql(skillsOfEntry('l'))}
  FROM departments d CROSS JOIN LATERAL (
    SELECT e.skill_ids, e.min_levels, string_agg(e.call_id::text, ',') AS ids FROM line_entries e
    WHERE e.department_id = d.id AND e.present AND e.lane > '00000000-0000-0000-0000-000000000000'
      AND e.skill_ids <> '{}'
    GROUP BY e.skill_ids, e.min_levels) l
  WHERE d.tenant_id = $1 AND d.id = $2`;

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
        text: `SELECT count(*)::int AS queue_size, min(${WAITS_SINCE_SQL}) AS longest_waits_since
          FROM calls c WHERE c.tenant_id = $1 AND c.department_id = $2 AND c.status = 'queued'`,
        values: [tenantId, departmentId],
      },
    ]);
    return counts;
  }

  /** The first `limit` calls of each department's queue, in queue order, each with figures of the whole queue. */
  async firstCalls(tenantId: string, departmentIds: string[], limit: number): Promise<FirstCall[]> {
    if (departmentIds.length === 0) return [];
    const [rows] = await this.database.readTenant<[WaitingRow]>(tenantId, [
      {
        text: `SELECT * FROM (
            SELECT ${CALL_LIST_COLUMNS}, c.absent_since,
              count(*) OVER (PARTITION BY c.department_id, COALESCE(c.client_address, c.id::text))::int
                AS calls_from_address,
              count(*) OVER (PARTITION BY c.department_id)::int AS queue_size,
              min(${WAITS_SINCE_SQL}) OVER (PARTITION BY c.department_id) AS longest_waits_since,
              row_number() OVER (PARTITION BY c.department_id ORDER BY ${QUEUE_ORDER_SQL})::int AS position
            FROM calls c WHERE c.tenant_id = $1 AND c.department_id = ANY ($2) AND c.status = 'queued'
          ) waiting WHERE position <= $3 ORDER BY department_id, position`,
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
  const { call_id, status, version, position, queue_size } = row;
  const estimated_wait_time = position > 0 ? estimateWait(position, row) : 0;
  return { call_id, status, version, position, estimated_wait_time, queue_size };
}
