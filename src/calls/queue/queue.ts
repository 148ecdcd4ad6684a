import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import type { CallStatus } from '../machine/call.machine';
import { estimateWait, type ServiceRate } from './queue.rules';

/** How many of a department's completed calls tell its pace. */
const RECENT_CALLS = 50;

/** Mean handle time and reachable agents of the department `d`, as columns. */
const SERVICE_RATE_SQL = `
  (SELECT avg(recent.duration)::float8 FROM (
     SELECT c.duration FROM calls c
     WHERE c.tenant_id = d.tenant_id AND c.department_id = d.id AND c.status = 'completed'
       AND c.duration IS NOT NULL
     ORDER BY c.completed_at DESC LIMIT ${RECENT_CALLS}) recent) AS mean_handle_time,
  (SELECT count(*)::int FROM department_members m
     JOIN users u ON u.id = m.user_id AND u.active
     JOIN user_presence p ON p.user_id = m.user_id
   WHERE m.department_id = d.id AND p.presence IN ('online', 'busy')) AS online_agents`;

const QUEUE_SIZE_SQL = `(SELECT count(*)::int FROM calls q
   WHERE q.tenant_id = d.tenant_id AND q.department_id = d.id AND q.status = 'queued') AS queue_size`;

/** First those whom an appointment puts first, the earliest first; then all others as they came. */
export const QUEUE_ORDER_SQL = 'priority_since NULLS LAST, queue_number';

/** The same order for comparing two calls. */
const inLine = (call: string) => `(COALESCE(${call}.priority_since, 'infinity'), ${call}.queue_number)`;

/** A call's place in its department's line; 0 once it is no longer queued. */
export interface QueuePosition {
  call_id: string;
  status: CallStatus;
  position: number;
  estimated_wait_time: number;
}

export interface DepartmentQueue extends ServiceRate {
  queue_size: number;
}

/** A department's line as its waiting customers are told about it. */
export interface WaitingCalls {
  pace: ServiceRate;
  /** Waiting calls, first in line first. */
  calls: { id: string; version: number }[];
}

type PositionRow = ServiceRate & {
  call_id: string;
  tenant_id: string;
  status: CallStatus;
  position: number;
  /** Whether the customer has lost their last socket. */
  is_absent: boolean;
};

const POSITION_SQL = `SELECT c.id AS call_id, c.tenant_id, c.status, c.absence_deadline IS NOT NULL AS is_absent, ${SERVICE_RATE_SQL},
    CASE WHEN c.status = 'queued' THEN (
      SELECT count(*)::int FROM calls q
      WHERE q.tenant_id = c.tenant_id AND q.department_id = c.department_id AND q.status = 'queued'
        AND ${inLine('q')} <= ${inLine('c')})
    ELSE 0 END AS position
  FROM calls c LEFT JOIN departments d ON d.id = c.department_id WHERE c.id = $1`;

/** Reads the line: positions are always computed, never stored, so they are 1…n without gap or repeat. */
@Injectable()
export class Queue {
  constructor(private readonly database: Database) {}

  /** For whoever knows nothing but the call's id. @returns undefined for an unknown call */
  async lookUp(callId: string): Promise<(PositionRow & { place: QueuePosition }) | undefined> {
    const [[row]] = await this.database.readSystem<[PositionRow]>([placeStatement(callId)]);
    const place = placeFrom(row);
    return row && place && { ...row, place };
  }

  /** @returns undefined for a call that the tenant does not have */
  async positionOf(tenantId: string, callId: string): Promise<QueuePosition | undefined> {
    const [[row]] = await this.database.readTenant<[PositionRow]>(tenantId, [placeStatement(callId)]);
    return placeFrom(row);
  }

  /** As placeOf, seeing what the open transaction has written. */
  async positionIn(tx: Transaction, callId: string): Promise<QueuePosition | undefined> {
    return placeFrom(await tx.one<PositionRow>(POSITION_SQL, [callId]));
  }

  async departmentQueue(tx: Transaction, departmentId: string): Promise<DepartmentQueue> {
    const queue = await tx.one<DepartmentQueue>(
      `SELECT ${SERVICE_RATE_SQL}, ${QUEUE_SIZE_SQL} FROM departments d WHERE d.id = $1`,
      [departmentId],
    );
    return queue ?? { mean_handle_time: null, online_agents: 0, queue_size: 0 };
  }

  /** How many wait in the line that the call is part of. */
  async queueSizeOf(tenantId: string, callId: string): Promise<number> {
    const [rows] = await this.database.readTenant<[{ size: number }]>(tenantId, [
      {
        name: 'line-size',
        text: `SELECT count(*)::int AS size FROM calls q
               WHERE q.tenant_id = $1 AND q.status = 'queued'
                 AND q.department_id = (SELECT department_id FROM calls WHERE tenant_id = $1 AND id = $2)`,
        values: [tenantId, callId],
      },
    ]);
    return rows[0]?.size ?? 0;
  }

  /** The whole line in one round trip. */
  async waitingCalls(tenantId: string, departmentId: string): Promise<WaitingCalls> {
    const values = [tenantId, departmentId];
    const [pace, waiting] = await this.database.readTenant<[ServiceRate, WaitingCalls['calls'][number]]>(
      tenantId,
      [
        {
          name: 'line-pace',
          text: `SELECT ${SERVICE_RATE_SQL} FROM departments d WHERE d.tenant_id = $1 AND d.id = $2`,
          values,
        },
        {
          name: 'line-calls',
          text: `SELECT id, version FROM calls WHERE tenant_id = $1 AND department_id = $2 AND status = 'queued'
               ORDER BY ${QUEUE_ORDER_SQL}`,
          values,
        },
      ],
    );
    return {
      pace: pace[0] ?? { mean_handle_time: null, online_agents: 0 },
      calls: waiting,
    };
  }
}

const placeStatement = (callId: string) => ({ name: 'call-place', text: POSITION_SQL, values: [callId] });

function placeFrom(row: PositionRow | undefined): QueuePosition | undefined {
  if (!row) return undefined;
  const { call_id, status, position } = row;
  const estimated_wait_time = position > 0 ? estimateWait(position, row) : 0;
  return { call_id, status, position, estimated_wait_time };
}
