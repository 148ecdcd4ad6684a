import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CallOverflowEnded } from '../../calls/call.events';
import { DepartmentUpdated } from '../../departments/department.events';
import { MembershipsChanged, UserUpdated } from '../../identity/users/user.events';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import type { Transaction } from '../../platform/database/transaction';
import { AfterCommit } from '../../platform/events/listeners';
import { Coalescer } from './coalescer';
import { runAsReservedBackgroundWork } from '../../platform/logging/request-context';
import { AgentLocks } from '../../presence/agent-locks';
import { AgentStates } from '../agents/agent-states';
import { EndOffers, type WithdrawalReason } from '../offers/end-offers';

interface InvalidOffer {
  id: string;
  tenant_id: string;
  user_id: string;
  reason: WithdrawalReason;
}

/** The overflow of all calls to a department ends at once, with an event for each of them. */
const MIN_INTERVAL_MS = 250;

/** The departments `d` in whose lines the call `c` can be offered. */
const LINES_SQL = `departments d WHERE d.tenant_id = c.tenant_id AND d.id IN (c.department_id, c.overflow_department_id)
          AND d.active AND d.routing = 'automatic'`;

/** The pending offers that can no longer stand at $1, with the reason. */
const INVALID = `SELECT * FROM (
    SELECT o.id, o.tenant_id, o.user_id, CASE
      WHEN t.suspended_at IS NOT NULL THEN 'tenant_suspended'
      WHEN NOT s.active THEN 'agent_inactive'
      WHEN o.kind <> 'transfer' AND NOT EXISTS (SELECT FROM ${LINES_SQL}) THEN 'department_changed'
      WHEN o.kind = 'line' AND c.reserved_user_id IS DISTINCT FROM o.user_id AND NOT EXISTS (
        SELECT FROM department_members m WHERE m.user_id = o.user_id
          AND m.department_id IN (SELECT d.id FROM ${LINES_SQL})) THEN 'not_a_member'
      WHEN s.state = 'offline' THEN 'agent_offline'
      WHEN s.state <> 'offered' THEN 'agent_busy'
      WHEN o.kind = 'transfer' AND c.status <> 'active' THEN 'call_ended'
      WHEN o.kind <> 'transfer' AND c.status <> 'queued' THEN 'call_taken'
      WHEN o.kind <> 'transfer' AND o.customer_deadline IS NULL AND NOT EXISTS (
        SELECT FROM line_entries e WHERE e.call_id = o.call_id AND e.present_until > $1) THEN 'customer_absent'
      END AS reason
    FROM offers o JOIN calls c ON c.tenant_id = o.tenant_id AND c.id = o.call_id
      JOIN agent_states s ON s.user_id = o.user_id
      JOIN tenants t ON t.id = o.tenant_id
    WHERE o.status = 'pending') invalid
  WHERE reason IS NOT NULL`;

/** PostgreSQL plans INVALID for longer than it runs, and there is mostly nothing to withdraw. */
const PENDING = `SELECT FROM offers WHERE status = 'pending'`;

/**
 * Withdraws offers whose basis has gone without a lock that the offer could have been made under: changes of users,
 * departments and tenants, also by the command line and by instances of the previous release.
 */
@Injectable()
export class InvalidOffers implements OnModuleDestroy {
  private readonly logger = new Logger(InvalidOffers.name);
  /** By the id of the company. An error is left to the sweep. */
  private readonly overflows = new Coalescer<string>(MIN_INTERVAL_MS, (tenantId) =>
    this.withdrawOf(tenantId).catch((error: unknown) =>
      this.logger.error(error, 'Offers could not be withdrawn'),
    ),
  );

  constructor(
    private readonly database: Database,
    private readonly locks: AgentLocks,
    private readonly states: AgentStates,
    private readonly ends: EndOffers,
    private readonly clock: Clock,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.overflows.stop();
  }

  @AfterCommit(MembershipsChanged)
  onMembershipsChanged({ tenant_id }: MembershipsChanged): Promise<void> {
    return this.withdrawOf(tenant_id);
  }

  @AfterCommit(UserUpdated)
  async onUserUpdated({ tenant_id, changed }: UserUpdated): Promise<void> {
    if (changed.includes('active')) await this.withdrawOf(tenant_id);
  }

  @AfterCommit(DepartmentUpdated)
  async onDepartmentUpdated({ tenant_id, changed }: DepartmentUpdated): Promise<void> {
    if (changed.includes('active') || changed.includes('routing')) await this.withdrawOf(tenant_id);
  }

  /** The agents of that department may not take the call any more. */
  @AfterCommit(CallOverflowEnded)
  async onOverflowEnded({ tenant_id }: CallOverflowEnded): Promise<void> {
    this.overflows.schedule(tenant_id, tenant_id, (waiting) => waiting);
  }

  /** Of all tenants. */
  async withdrawAll(): Promise<void> {
    const [pending] = await this.database.readSystem<[object]>([{ text: `${PENDING} LIMIT 1`, values: [] }]);
    if (pending.length === 0) return;
    const [offers] = await this.database.readSystem<[InvalidOffer]>([
      { text: INVALID, values: [this.clock.now()] },
    ]);
    for (const offer of offers) await this.withdraw(offer);
  }

  private withdrawOf(tenantId: string): Promise<void> {
    return runAsReservedBackgroundWork(async () => {
      const [pending] = await this.database.readTenant<[object]>(tenantId, [
        { text: `${PENDING} AND tenant_id = $1 LIMIT 1`, values: [tenantId] },
      ]);
      if (pending.length === 0) return;
      const [offers] = await this.database.readTenant<[InvalidOffer]>(tenantId, [
        { text: `${INVALID} AND tenant_id = $2`, values: [this.clock.now(), tenantId] },
      ]);
      for (const offer of offers) await this.withdraw(offer);
    });
  }

  private withdraw({ id, tenant_id, user_id }: InvalidOffer): Promise<void> {
    return this.database.tenant(tenant_id, async (tx) => {
      this.locks.lock(tx, [user_id]);
      const offer = await this.stillInvalid(tx, id);
      if (!offer) return;
      await this.ends.withdraw(tx, new Filter().and('o.id = ?', id), offer.reason);
      await this.states.announce(tx, tenant_id, [user_id]);
    });
  }

  private stillInvalid(tx: Transaction, id: string): Promise<InvalidOffer | undefined> {
    return tx.one<InvalidOffer>(`${INVALID} AND id = $2`, [this.clock.now(), id]);
  }
}
