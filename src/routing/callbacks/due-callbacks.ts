import { Injectable, Logger } from '@nestjs/common';
import { Queue } from '../../calls/queue/queue';
import { HOURS_SQL, type HoursRow, isOpenAt } from '../../departments/hours/department-hours.rules';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { isNearFront, isServedSoon, type LineAgents } from './callback-due.rules';

/** A department whose line has calls with callbacks, its own or overflowed ones. */
interface CallingDepartment extends HoursRow, LineAgents {
  tenant_id: string;
  id: string;
  /** The calls, separated by commas. */
  call_ids: string;
}

/** A call whose customer is to be invited. */
export interface DueCallback {
  tenant_id: string;
  call_id: string;
}

/**
 * Active departments of companies that are not suspended. Requested callbacks are read by their index, and the agents are
 * counted only for their departments.
 */
const CALLING_DEPARTMENTS = `SELECT w.tenant_id, w.department_id AS id, w.call_ids, ${HOURS_SQL},
    agents.available_agents, agents.reachable_agents
  FROM (SELECT e.tenant_id, e.department_id, string_agg(e.call_id::text, ',') AS call_ids
      FROM callbacks b JOIN line_entries e ON e.call_id = b.call_id
      WHERE b.next_attempt_at <= $1 GROUP BY e.tenant_id, e.department_id) w
    JOIN departments d ON d.tenant_id = w.tenant_id AND d.id = w.department_id AND d.active
    JOIN tenants t ON t.id = w.tenant_id AND t.suspended_at IS NULL
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE p.state = 'available')::int AS available_agents,
        count(*) FILTER (WHERE p.announced IN ('online', 'busy'))::int AS reachable_agents
      FROM department_members m JOIN users u ON u.id = m.user_id AND u.active
        JOIN presences p ON p.user_id = m.user_id
      WHERE m.department_id = d.id) agents`;

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
      .filter((place) => isNearFront(place, department) || isServedSoon(place, department))
      .map(({ call_id }) => ({ tenant_id, call_id }));
  }
}
