import { Injectable } from '@nestjs/common';
import { CallTransitions, type DecidedCall } from '../../calls/machine/call-transitions';
import { OVERFLOWED_SQL, QUEUE_SIZE_SQL } from '../../calls/queue/department-queue-sql';
import { actorOf } from '../../calls/staff/actor';
import { visibleCalls } from '../../calls/staff/call-access';
import { HOURS_SQL, hoursOf, type HoursRow } from '../../departments/hours/department-hours.rules';
import { isOpen, opensAt } from '../../departments/hours/opening-hours.rules';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { naturalOrder } from '../../platform/database/natural-order';
import { notFound } from '../../platform/http/errors/api-error';
import type { TransferDepartmentDto } from './transfer.dto';

type DepartmentRow = HoursRow & Omit<TransferDepartmentDto, 'open' | 'opens_at'>;

const DEPARTMENTS_SQL = `
  SELECT d.id AS department_id, d.name AS department_name, s.queue_size + o.overflow_size AS queue_size,
    s.queue_size >= d.max_queue_size AS full, ${HOURS_SQL}
  FROM departments d CROSS JOIN LATERAL ${QUEUE_SIZE_SQL} s CROSS JOIN LATERAL ${OVERFLOWED_SQL} o
  WHERE d.tenant_id = $1 AND d.active
    AND d.id IS DISTINCT FROM (SELECT c.department_id FROM calls c WHERE c.tenant_id = $1 AND c.id = $2)
  ORDER BY ${naturalOrder('d.name')}, d.id`;

/** The departments to which a call can be transferred. */
@Injectable()
export class TransferDepartments {
  constructor(
    private readonly database: Database,
    private readonly transitions: CallTransitions,
    private readonly clock: Clock,
  ) {}

  /**
   * All active departments of the company but the one of the call, by name, with what else a transfer to them depends on.
   * Attendants cannot list departments, so only those who could transfer the call now are answered.
   * @throws 404; 422 invalid_transition for a call that is not active, or of another agent
   */
  async of(user: Principal, callId: string): Promise<TransferDepartmentDto[]> {
    const { tenant_id } = user;
    const { sql, values } = visibleCalls(user).and('c.id = ?', callId);
    const [[call], departments] = await this.database.readTenant<[DecidedCall, DepartmentRow]>(tenant_id, [
      { text: `SELECT c.status, c.user_id, c.callback_status FROM calls c ${sql}`, values },
      { text: DEPARTMENTS_SQL, values: [tenant_id, callId] },
    ]);
    if (!call) throw notFound('Call');
    this.transitions.ensureAllowed(call, { trigger: 'transfer', actor: actorOf(user) });
    const now = this.clock.now();
    return departments.map(({ opening_hours, tenant_timezone, ...department }) => {
      const hours = hoursOf({ opening_hours, tenant_timezone });
      const open = !hours || isOpen(hours, now);
      const opens_at = open ? null : (opensAt(hours, now)?.toISOString() ?? null);
      return { ...department, open, opens_at };
    });
  }
}
