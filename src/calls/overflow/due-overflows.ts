import { Injectable } from '@nestjs/common';
import { HOURS_SQL, type HoursRow, isOpenAt } from '../../departments/hours/department-hours.rules';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Statement } from '../../platform/database/statement';
import type { Transaction } from '../../platform/database/transaction';
import { Call } from '../call.entity';

/** A department, and the one to which its calls overflow. */
export interface Overflow {
  tenant_id: string;
  department_id: string;
  target_id: string;
  /** Whether the department itself is open. */
  is_open: boolean;
}

type DueRow = Omit<Overflow, 'is_open'> &
  HoursRow & {
    /** The hours of the department itself, and the time zone of its company. */
    own_hours: HoursRow['opening_hours'];
    own_timezone: string;
    /** Whether a call is due whose customer waits in the line, rather than for a callback. */
    has_waiting: boolean;
  };

/** The department `s` whose calls overflow, and the one `d` to which they do, if it is active. */
const OVERFLOWS = `departments s
  JOIN tenants t ON t.id = s.tenant_id AND t.suspended_at IS NULL
  JOIN departments d ON d.tenant_id = s.tenant_id AND d.id = s.overflow_department_id AND d.active`;

/** The calls `c` whose customers wait in the line: the others are called back from the next opening of their own department on. */
const IS_WAITING = `(c.callback_status IS NULL OR c.callback_status NOT IN ('requested', 'invited'))`;

/** The calls `c` of `s` that have waited in it long enough at $1, and have never overflowed. */
const IS_DUE = `c.tenant_id = s.tenant_id AND c.department_id = s.id AND c.status = 'queued' AND c.overflowed_at IS NULL
  AND GREATEST(c.inserted_at, c.transferred_at) <= $1::timestamptz - make_interval(secs => s.overflow_after)`;

const DUE = `SELECT s.tenant_id, s.id AS department_id, d.id AS target_id, ${HOURS_SQL},
    s.opening_hours AS own_hours, t.timezone AS own_timezone,
    EXISTS (SELECT FROM calls c WHERE ${IS_DUE} AND ${IS_WAITING} OFFSET 0) AS has_waiting
  FROM ${OVERFLOWS}
  WHERE s.overflow_department_id IS NOT NULL AND s.overflow_after IS NOT NULL
    AND EXISTS (SELECT FROM calls c WHERE ${IS_DUE} OFFSET 0)`;

/** Selects each department (DueRow) with a call that is due, whether or not the target is open. */
export const dueOverflowsStatement = (now: Date): Statement => ({ text: DUE, values: [now] });

/** FOR SHARE: the target can neither become inactive nor be deleted, nor be joined, until the transaction ends. */
const LOCK_TARGET = `SELECT ${HOURS_SQL} FROM departments d WHERE d.tenant_id = $1 AND d.id = $2 AND d.active FOR SHARE`;

const lockCalls = (columns: string) => `SELECT ${columns} FROM calls c JOIN departments s ON ${IS_DUE}
  WHERE s.tenant_id = $2 AND s.id = $3 AND s.overflow_department_id = $4
    AND ($6 OR ${IS_WAITING})
  ORDER BY c.id LIMIT $5 FOR NO KEY UPDATE OF c SKIP LOCKED`;

/** Finds calls that have waited so long that they overflow. */
@Injectable()
export class DueOverflows {
  constructor(private readonly database: Database) {}

  /** Reads only the queues of departments that overflow. @returns those with a call that is due, and a target that is open */
  async find(now: Date): Promise<Overflow[]> {
    const [due] = await this.database.readSystem<[DueRow]>([dueOverflowsStatement(now)]);
    return due
      .filter((row) => isOpenAt(row, now))
      .map(({ own_hours, own_timezone, ...row }) => ({
        ...row,
        is_open: isOpenAt({ opening_hours: own_hours, tenant_timezone: own_timezone }, now),
      }))
      .filter(({ is_open, has_waiting }) => is_open || has_waiting);
  }

  /**
   * Locks calls that are due in the order of their ids, without those that another transaction has locked. Lock order: the
   * target before the calls.
   */
  async lock(tx: Transaction, overflow: Overflow, now: Date, limit: number): Promise<Call[]> {
    const { tenant_id, department_id, target_id, is_open } = overflow;
    const [target, calls] = await settleAll([
      tx.one<HoursRow>(LOCK_TARGET, [tenant_id, target_id]),
      tx.query<Call>(lockCalls(tx.columnsOf(Call, 'c')), [
        now,
        tenant_id,
        department_id,
        target_id,
        limit,
        is_open,
      ]),
    ]);
    return target && isOpenAt(target, now) ? calls : [];
  }
}
