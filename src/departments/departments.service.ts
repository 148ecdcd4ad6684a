import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MembershipsService } from '../identity/users/memberships.service';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { notFound } from '../platform/http/errors/api-error';
import { uniqueSlug, slugify } from '../tenancy/slug';
import { SubscriptionsService } from '../plans/subscriptions.service';
import { UsageRegistry } from '../plans/usage-registry';
import type { CreateDepartmentDto, DepartmentDto, UpdateDepartmentDto } from './department.dto';
import type { DepartmentRoutingInput } from './department-routing.dto';
import { Department } from './department.entity';
import { DepartmentCreated, DepartmentDeleted, DepartmentUpdated } from './department.events';
import { DepartmentEndings } from './department-endings';
import { DepartmentList } from './department-list';
import { type ClosingPlan, closingToPlan } from './hours/closing.rules';
import { CanonicalHours } from './hours/canonical-hours';
import { OverflowSources } from './overflow-sources';

/** Creates, updates and deletes departments, and manages their members. */
@Injectable()
export class DepartmentsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly memberships: MembershipsService,
    private readonly list: DepartmentList,
    private readonly hours: CanonicalHours,
    private readonly overflow: OverflowSources,
    private readonly endings: DepartmentEndings,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly usage: UsageRegistry,
  ) {}

  onModuleInit(): void {
    this.usage.register(
      'active_departments',
      'SELECT count(*) FROM departments WHERE tenant_id = $1 AND active',
    );
  }

  /** @throws 403 plan_limit, 422 for an identifier in use, an unknown time zone or overflow department */
  async create(tenantId: string, input: CreateDepartmentDto): Promise<DepartmentDto> {
    const opening_hours = await this.hours.of(input.opening_hours);
    const on_close = input.on_close ?? 'keep';
    const id = await this.database.tenant(tenantId, async (tx) => {
      const departments = tx.repository(Department);
      // Locks the tenant, which also prevents two concurrent requests from generating the same identifier.
      await this.ensureWithinLimit(tx, tenantId);
      const department = await departments.save(
        departments.create({
          tenant_id: tenantId,
          name: input.name,
          identifier: input.identifier ?? (await this.generateIdentifier(tx, tenantId, input.name)),
          description: input.description ?? null,
          sector_id: input.sector_id ?? null,
          max_queue_size: input.max_queue_size ?? undefined,
          max_wait_time: input.max_wait_time ?? undefined,
          ...routingOf(input),
          callback_enabled: input.callback_enabled ?? undefined,
          callback_attempts: input.callback_attempts ?? undefined,
          callback_window: input.callback_window ?? undefined,
          opening_hours,
          closed_message: input.closed_message ?? null,
          on_close,
          overflow_after: input.overflow_after,
          overflow_department_id: input.overflow_department_id,
          ...closingToPlan({ opening_hours: opening_hours ?? null, on_close }, this.clock.now()),
        }),
      );
      await this.events.record(
        tx,
        new DepartmentCreated(tenantId, department.id, this.clock.now().toISOString()),
      );
      return department.id;
    });
    return this.list.get(tenantId, id);
  }

  /** Inactive departments do not count towards the plan's limit, like inactive users. */
  private ensureWithinLimit(tx: Transaction, tenantId: string): Promise<void> {
    return this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_departments', () =>
      tx.repository(Department).countBy({ tenant_id: tenantId, active: true }),
    );
  }

  private async generateIdentifier(tx: Transaction, tenantId: string, name: string): Promise<string> {
    const slug = slugify(name, 'department');
    const used = await tx.query<{ identifier: string }>(
      `SELECT identifier FROM departments
       WHERE tenant_id = $1 AND (identifier = $2 OR identifier ~ ('^' || $2 || '-[0-9]+$'))`,
      [tenantId, slug],
    );
    return uniqueSlug(
      slug,
      used.map((row) => row.identifier),
    );
  }

  /** @throws 403 plan_limit when activating, 404, 422 as create */
  async update(tenantId: string, id: string, input: UpdateDepartmentDto): Promise<DepartmentDto> {
    const changes = {
      ...input,
      opening_hours: await this.hours.of(input.opening_hours),
    } as Partial<Department>;
    await this.database.tenant(tenantId, async (tx) => {
      const departments = tx.repository(Department);
      const where = { id, tenant_id: tenantId };
      if (input.active) await this.subscriptions.lockLimits(tx, tenantId);
      const department = await departments.findOne({ where, lock: { mode: 'for_no_key_update' } });
      if (!department) throw notFound('Department');
      if (input.active && !department.active) await this.ensureWithinLimit(tx, tenantId);
      const changed = changedFields(department, changes);
      if (changed.length === 0) return;
      const now = this.clock.now();
      const closing = closingAfter(department, changes, now);
      await departments.update(where, { ...changes, ...closing, updated_at: now });
      await this.events.record(tx, new DepartmentUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(tenantId, id);
  }

  /**
   * Deletes the department, whatever depends on it: its links are invalid without it, and jobs end these, its appointments and
   * its waiting calls.
   * @throws 404, or 422 from a listener or a foreign key
   */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const departments = tx.repository(Department);
      this.overflow.lock(tx, tenantId, id);
      const department = await departments.findOne({
        where: { id, tenant_id: tenantId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!department) throw notFound('Department');
      await this.events.record(tx, new DepartmentDeleted(tenantId, id, this.clock.now().toISOString()));
      await this.overflow.clear(tx, tenantId, id);
      await departments.delete({ id, tenant_id: tenantId });
      await this.endings.begin(tx, { tenant_id: tenantId, id, name: department.name });
    });
  }

  /** @throws 404 for the department; 422 for an unknown user or an existing member */
  async addMember(tenantId: string, id: string, userId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.ensureExists(tx, tenantId, id);
      await this.memberships.add(tx, tenantId, id, userId);
    });
  }

  /** @throws 404 for the department or the membership */
  async removeMember(tenantId: string, id: string, userId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await this.ensureExists(tx, tenantId, id);
      if (!(await this.memberships.remove(tx, tenantId, id, userId))) throw notFound('Member');
    });
  }

  private async ensureExists(tx: Transaction, tenantId: string, id: string): Promise<void> {
    const found = await tx.one('SELECT FROM departments WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE', [
      tenantId,
      id,
    ]);
    if (!found) throw notFound('Department');
  }
}

/** The plan of the next closing, if it depends on a change. */
function closingAfter(before: Department, changes: Partial<Department>, now: Date): Partial<ClosingPlan> {
  const { opening_hours = before.opening_hours, on_close = before.on_close } = changes;
  const hasChanged = changedFields(before, { opening_hours, on_close }).length > 0;
  return hasChanged ? closingToPlan({ opening_hours, on_close }, now) : {};
}

/** The settings that the input sets; the others, and those that it sets to null, get their defaults. */
function routingOf(input: DepartmentRoutingInput): Partial<Department> {
  return {
    routing: input.routing ?? undefined,
    offer_timeout: input.offer_timeout ?? undefined,
    wrap_up_time: input.wrap_up_time ?? undefined,
    max_unanswered: input.max_unanswered ?? undefined,
    agent_selection: input.agent_selection ?? undefined,
    // Null means never.
    skill_relax_after: input.skill_relax_after,
    preferred_agent_wait: input.preferred_agent_wait ?? undefined,
    priority_step: input.priority_step ?? undefined,
  };
}
