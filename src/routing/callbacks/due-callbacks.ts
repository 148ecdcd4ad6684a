import { Injectable, Logger } from '@nestjs/common';
import { Queue } from '../../calls/queue/queue';
import { HOURS_SQL, type HoursRow, isOpenAt } from '../../departments/hours/department-hours.rules';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { hasSkills, isReachable } from '../offers/eligibility-sql';
import { isNearFront, isServedSoon, type LineAgents } from './callback-due.rules';

/** A department whose line has calls with callbacks, its own or overflowed ones. */
interface CallingDepartment extends HoursRow, LineAgents {
  tenant_id: string;
  id: string;
  /** The calls that a reachable agent could take, separated by commas. */
  call_ids: string;
}

/** A call whose customer is to be invited. */
export interface DueCallback {
  tenant_id: string;
  call_id: string;
}

/**
 * Whether an agent who could take the calls `g` of the line `d` is reachable: otherwise nobody would answer a customer who
 * comes back. Agents of a manual line choose their calls whatever skills these need.
 */
const CAN_BE_TAKEN = `EXISTS (
  SELECT FROM department_members m JOIN users u ON u.id = m.user_id AND u.active
  WHERE m.department_id = d.id AND ${isReachable('m.user_id')} AND (d.routing = 'manual' OR ${hasSkills('g', 'm.user_id')}))
  OR EXISTS (SELECT FROM users u WHERE u.id = g.reserved_user_id AND u.active AND ${isReachable('u.id')})`;

/**
 * Active departments of companies that are not suspended. Requested callbacks are read by their index, and the agents are
 * read only for their departments, once for all calls with the same needs.
 */
const CALLING_DEPARTMENTS = `SELECT d.tenant_id, d.id, ${HOURS_SQL}, string_agg(g.call_ids, ',') AS call_ids,
    (SELECT count(*)::int FROM department_members m JOIN users u ON u.id = m.user_id AND u.active
      JOIN presences p ON p.user_id = m.user_id AND p.state = 'available'
      WHERE m.department_id = d.id) AS available_agents
  FROM (SELECT e.tenant_id, e.department_id, e.skill_ids, e.min_levels, e.reserved_user_id,
        string_agg(e.call_id::text, ',') AS call_ids
      FROM callbacks b JOIN line_entries e ON e.call_id = b.call_id
      WHERE b.next_attempt_at <= $1
      GROUP BY e.tenant_id, e.department_id, e.skill_ids, e.min_levels, e.reserved_user_id) g
    JOIN departments d ON d.tenant_id = g.tenant_id AND d.id = g.department_id AND d.active
    JOIN tenants t ON t.id = g.tenant_id AND t.suspended_at IS NULL
  WHERE ${CAN_BE_TAKEN}
  GROUP BY d.id, t.id`;

/** Finds the customers whose turn it nearly is. The positions of a department are computed once, however many there are. */
@Injectable()
export class DueCallbacks {
  private readonly logger = new Logger(DueCallbacks.name);

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly clock: Clock,
  ) {}

  async *find(): AsyncGenerator<DueCallback> {
    const now = this.clock.now();
    const [departments] = await this.database.readSystem<[CallingDepartment]>([
      { text: CALLING_DEPARTMENTS, values: [now] },
    ]);
    for (const department of departments) {
      if (isOpenAt(department, now)) yield* await this.tryDueIn(department);
    }
  }

  /** A department whose positions cannot be computed must not hold up the others. */
  private async tryDueIn(department: CallingDepartment): Promise<DueCallback[]> {
    try {
      return await this.dueIn(department);
    } catch (error) {
      this.logger.error(error, `The due callbacks of department ${department.id} could not be found`);
      return [];
    }
  }

  private async dueIn(department: CallingDepartment): Promise<DueCallback[]> {
    const { tenant_id, id, call_ids } = department;
    const asked = new Set(call_ids.split(','));
    const positions = await this.queue.positionsOf(tenant_id, id);
    return positions
      .filter(({ call_id }) => asked.has(call_id))
      .filter((place) => isNearFront(place, department) || isServedSoon(place))
      .map(({ call_id }) => ({ tenant_id, call_id }));
  }
}
