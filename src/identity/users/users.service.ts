import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { changedFields } from '../../platform/events/changed-fields';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { UsageRegistry } from '../../plans/usage-registry';
import { AccessChanged, UserCreated, UserUpdated } from '../identity.events';
import { Memberships } from './memberships';
import { Invitations } from '../password-reset/invitations';
import { hashPassword } from './passwords';
import { SessionsService } from '../sessions/sessions.service';
import type { CreateUserDto, UpdateUserDto, UserDto } from './user.dto';
import { User } from './user.entity';
import { UserList } from './user-list';
import { ensureMayManage } from './user.rules';

@Injectable()
export class UsersService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly memberships: Memberships,
    private readonly sessions: SessionsService,
    private readonly invitations: Invitations,
    private readonly list: UserList,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly usage: UsageRegistry,
  ) {}

  onModuleInit(): void {
    this.usage.register('active_users', 'SELECT count(*) FROM users WHERE tenant_id = $1 AND active');
  }

  /** @throws 403 plan_limit or a role above the caller's; 422 for an e-mail in use or an unknown department */
  async create(actor: Principal, input: CreateUserDto): Promise<UserDto> {
    ensureMayManage(actor.role, input.role);
    const password_hash = input.password ? await hashPassword(input.password) : null;
    const { tenant_id } = actor;
    const id = await this.database.tenant(tenant_id, async (tx) => {
      await this.ensureRoom(tx, tenant_id);
      const { name, email, role, phone = null } = input;
      const user = await this.insert(tx, { tenant_id, name, email, role, phone, password_hash });
      if (input.department_ids?.length) {
        await this.memberships.replace(tx, tenant_id, user.id, input.department_ids);
      }
      if (!password_hash) await this.invitations.invite(tx, user);
      return user.id;
    });
    return this.list.get(tenant_id, id);
  }

  /** Adds a user without asking about roles or limits: signup's first owner, and the demo's people. */
  async insert(
    tx: Transaction,
    input: Pick<User, 'tenant_id' | 'name' | 'email' | 'role' | 'phone' | 'password_hash'>,
  ): Promise<User> {
    const users = tx.repository(User);
    const user = await users.save(users.create(input));
    await this.events.record(tx, new UserCreated(input.tenant_id, user.id, this.clock.now().toISOString()));
    return user;
  }

  /** @throws 403 for somebody above the caller, 404, 422 when no active owner would be left */
  async update(actor: Principal, id: string, input: UpdateUserDto): Promise<UserDto> {
    const { tenant_id } = actor;
    await this.database.tenant(tenant_id, async (tx) => {
      const { department_ids, ...changes } = input;
      // Limits and the last owner are both counted behind the tenant's lock.
      if (changes.active !== undefined || changes.role !== undefined) {
        await this.subscriptions.lockLimits(tx, tenant_id);
      }
      const users = tx.repository(User);
      const user = await users.findOne({ where: { id, tenant_id }, lock: { mode: 'pessimistic_write' } });
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role, changes.role);
      if (changes.active && !user.active) await this.ensureRoom(tx, tenant_id);
      // A null where there can be none is the database's to refuse.
      const fields = changes as Partial<User>;
      const changed = changedFields(user, fields);
      await users.update({ id, tenant_id }, { ...fields, updated_at: this.clock.now() });
      if (department_ids && (await this.memberships.replace(tx, tenant_id, id, department_ids))) {
        changed.push('department_ids');
      }
      await this.settle(tx, user, changes, changed);
    });
    return this.list.get(tenant_id, id);
  }

  /** What follows from the change. */
  private async settle(
    tx: Transaction,
    before: User,
    changes: UpdateUserDto,
    changed: string[],
  ): Promise<void> {
    const { id, tenant_id } = before;
    const at = this.clock.now().toISOString();
    if (before.role === 'owner' && before.active) await this.ensureAnOwner(tx, tenant_id);
    if (before.active && changes.active === false)
      await this.sessions.revokeAll(tx, tenant_id, id, 'deactivated');
    if (changed.includes('role')) await this.events.record(tx, new AccessChanged(tenant_id, id, at));
    if (changed.includes('email')) await this.invitations.moveTo(tx, { id, tenant_id }, before.email);
    if (changed.length > 0) await this.events.record(tx, new UserUpdated(tenant_id, id, at, changed));
  }

  private async ensureAnOwner(tx: Transaction, tenantId: string): Promise<void> {
    const owners = await tx.repository(User).countBy({ tenant_id: tenantId, role: 'owner', active: true });
    if (owners > 0) return;
    throw unprocessable('last_owner', 'The last active owner cannot be demoted or deactivated.');
  }

  private ensureRoom(tx: Transaction, tenantId: string): Promise<void> {
    return this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_users', () =>
      tx.repository(User).countBy({ tenant_id: tenantId, active: true }),
    );
  }
}
