import { Injectable } from '@nestjs/common';
import type { Call } from '../../calls/call.entity';
import { Absence } from '../../calls/machine/absence';
import { CallTransitions } from '../../calls/machine/call-transitions';
import { DepartmentQueues } from '../../calls/queue/department-queues';
import { actorOf } from '../../calls/staff/actor';
import { CallAccess } from '../../calls/staff/call-access';
import { ensureOpen, HOURS_SQL, type HoursRow } from '../../departments/hours/department-hours.rules';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { settleAll } from '../../platform/database/settle-all';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { invalidField, unprocessable } from '../../platform/http/errors/api-error';
import { Connections } from '../../presence/connections';

interface TargetRow extends HoursRow {
  id: string;
  name: string;
  active: boolean;
  max_queue_size: number;
  /** Seconds. */
  max_wait_time: number;
}

/** Transfers an active call to the queue of another department. */
@Injectable()
export class TransferToDepartment {
  constructor(
    private readonly database: Database,
    private readonly access: CallAccess,
    private readonly transitions: CallTransitions,
    private readonly queues: DepartmentQueues,
    private readonly absence: Absence,
    private readonly connections: Connections,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * The call waits in the department, ahead of later joins; the sockets of its agent leave it.
   * @param note what the agent says about the call
   * @returns the call after the transfer
   * @throws 404; 422 for an unknown department, invalid_transition, same_department, department_inactive,
   *   department_closed, queue_full
   */
  async transfer(user: Principal, callId: string, departmentId: string, note: string | null): Promise<Call> {
    return this.database.tenant(user.tenant_id, async (tx) => {
      this.events.expect(tx, user.tenant_id, ['call.transferred']);
      // Lock order: the department before the call. The one that the call leaves needs no lock: the call is written once.
      const [department, queue, call, absence] = await settleAll([
        this.lockDepartment(tx, user.tenant_id, departmentId),
        this.queues.readLocked(tx, { tenant_id: user.tenant_id, department_id: departmentId }),
        this.access.lockVisible(tx, user, callId),
        this.absence.ofReturningCall(tx, callId),
      ]);
      const move = { trigger: 'transfer', actor: actorOf(user) } as const;
      this.transitions.ensureAllowed(call, move);
      if (!department) throw invalidField('department_id', 'names a department that does not exist');
      ensureAccepts(department, queue.queue_size, call, this.clock.now());
      const request = { ...move, transfer: { department, absence }, transfer_note: note };
      const [transferred] = await settleAll([
        this.transitions.apply(tx, call, request),
        this.connections.leaveCall(tx, callId, call.user_id ?? ''),
      ]);
      return transferred;
    });
  }

  /** As joins do, so that calls that are transferred at the same time do not exceed the limit of the queue. */
  private lockDepartment(tx: Transaction, tenantId: string, id: string): Promise<TargetRow | undefined> {
    return tx.one<TargetRow>(
      `SELECT d.id, d.name, d.active, d.max_queue_size, d.max_wait_time, ${HOURS_SQL} FROM departments d
       WHERE d.tenant_id = $1 AND d.id = $2 FOR NO KEY UPDATE`,
      [tenantId, id],
    );
  }
}

/** @throws 422 */
function ensureAccepts(target: TargetRow, queueSize: number, call: Call, now: Date): void {
  const { id, active, max_queue_size } = target;
  if (call.department_id === id) {
    throw unprocessable('same_department', 'The call is in this department already.');
  }
  if (!active) throw unprocessable('department_inactive', 'The department is not active.');
  ensureOpen(target, now);
  if (queueSize >= max_queue_size) throw unprocessable('queue_full', 'The queue of the department is full.');
}
