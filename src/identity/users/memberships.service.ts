import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { MembershipsChanged } from './user.events';

interface Membership {
  department_id: string;
}

/** Adds users to departments and removes them; owns the table department_members. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds one membership. An existing one violates department_members_pkey; an unknown user or department
   * violates a foreign key.
   */
  async add(tx: Transaction, tenantId: string, departmentId: string, userId: string): Promise<void> {
    await tx.query('INSERT INTO department_members (tenant_id, department_id, user_id) VALUES ($1, $2, $3)', [
      tenantId,
      departmentId,
      userId,
    ]);
    await this.recordChange(tx, tenantId, userId, [departmentId]);
  }

  /** @returns whether the membership existed */
  async remove(tx: Transaction, tenantId: string, departmentId: string, userId: string): Promise<boolean> {
    const removed = await tx.query(
      `DELETE FROM department_members WHERE tenant_id = $1 AND department_id = $2 AND user_id = $3
       RETURNING user_id`,
      [tenantId, departmentId, userId],
    );
    if (removed.length > 0) await this.recordChange(tx, tenantId, userId, [departmentId]);
    return removed.length > 0;
  }

  /** Makes the user a member of exactly these departments. @returns whether any membership changed */
  async replace(
    tx: Transaction,
    tenantId: string,
    userId: string,
    departmentIds: string[],
  ): Promise<boolean> {
    const left = await tx.query<Membership>(
      `DELETE FROM department_members
       WHERE tenant_id = $1 AND user_id = $2 AND department_id <> ALL ($3::uuid[]) RETURNING department_id`,
      [tenantId, userId, departmentIds],
    );
    const joined = await tx.query<Membership>(
      `INSERT INTO department_members (tenant_id, department_id, user_id)
       SELECT $1, department_id, $2 FROM unnest($3::uuid[]) AS department_id
       ON CONFLICT ON CONSTRAINT department_members_pkey DO NOTHING RETURNING department_id`,
      [tenantId, userId, departmentIds],
    );
    const changedIds = [...left, ...joined].map((membership) => membership.department_id);
    if (changedIds.length > 0) await this.recordChange(tx, tenantId, userId, changedIds);
    return changedIds.length > 0;
  }

  private recordChange(
    tx: Transaction,
    tenantId: string,
    userId: string,
    departmentIds: string[],
  ): Promise<void> {
    const at = this.clock.now().toISOString();
    return this.events.record(tx, new MembershipsChanged(tenantId, userId, at, departmentIds));
  }
}
