import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { changedFields } from '../../platform/events/changed-fields';
import { EventBus } from '../../platform/events/event-bus';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { UsageRegistry } from '../../plans/usage-registry';
import { AddressChangeMail } from '../mail/address-change-mail';
import { InvitationsService } from './invitations.service';
import { MembershipsService } from './memberships.service';
import { PasswordHasher } from './password-hasher';
import type { CreateUserDto, UpdateUserDto, UserDto } from './user.dto';
import { User } from './user.entity';
import { UserCreated, UserUpdated } from './user.events';
import { UserList } from './user-list';
import { ensureMayManage } from './user.rules';

type NewUser = Pick<User, 'tenant_id' | 'name' | 'email' | 'role' | 'phone' | 'password_hash'>;

@Injectable()
export class UsersService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly memberships: MembershipsService,
    private readonly invitations: InvitationsService,
    private readonly addressChangeMail: AddressChangeMail,
    private readonly list: UserList,
    private readonly hasher: PasswordHasher,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly usage: UsageRegistry,
  ) {}

  onModuleInit(): void {
    this.usage.register('active_users', 'SELECT count(*) FROM users WHERE tenant_id = $1 AND active');
  }

  /**
   * Creates a user, and invites them if no password is given.
   * @throws 403 plan_limit for the number of users or the mails of the day, or for a role above the caller's; 422 for an
   *   e-mail in use or an unknown department; 429 when the tenant exceeds its hourly allowance of invitations
   */
  async create(actor: Principal, input: CreateUserDto): Promise<UserDto> {
    ensureMayManage(actor.role, input.role);
    const password_hash = input.password ? await this.hasher.hash(input.password) : null;
    const { tenant_id } = actor;
    const id = await this.database.tenant(tenant_id, async (tx) => {
      const user = await this.add(tx, tenant_id, input, password_hash);
      if (!password_hash) await this.invitations.invite(tx, user);
      return user.id;
    });
    return this.list.get(tenant_id, id);
  }

  private async add(
    tx: Transaction,
    tenant_id: string,
    input: CreateUserDto,
    password_hash: string | null,
  ): Promise<User> {
    await this.ensureWithinLimit(tx, tenant_id);
    const { name, email, role, phone = null } = input;
    const user = await this.insert(tx, { tenant_id, name, email, role, phone, password_hash });
    if (input.department_ids?.length) {
      await this.memberships.replace(tx, tenant_id, user.id, input.department_ids);
    }
    return user;
  }

  /** Adds a user without checking roles or limits: for signup, the operator and the demo tenant. */
  async insert(tx: Transaction, input: NewUser): Promise<User> {
    const [user] = await this.insertAll(tx, [input]);
    if (!user) throw new Error('No user was inserted');
    return user;
  }

  /** As insert, with one statement. */
  async insertAll(tx: Transaction, inputs: NewUser[]): Promise<User[]> {
    const repository = tx.repository(User);
    const users = await repository.save(repository.create(inputs));
    const at = this.clock.now().toISOString();
    for (const { tenant_id, id } of users) await this.events.record(tx, new UserCreated(tenant_id, id, at));
    return users;
  }

  /**
   * Changes the given fields. Listeners of UserUpdated end sessions and invalidate mailed links where needed. A new
   * e-mail address is refused when the mail about it exceeds the tenant's allowance.
   * @throws 403 for a user or role above the caller's, or plan_limit; 404; 422 if no active owner would remain; 429 when
   *   the tenant exceeds its hourly allowance of invitations
   */
  async update(actor: Principal, id: string, input: UpdateUserDto): Promise<UserDto> {
    const { tenant_id } = actor;
    await this.database.tenant(tenant_id, async (tx) => {
      const { department_ids, ...changes } = input;
      // Both the plan's limit and the number of owners are counted under the tenant's lock.
      if (changes.active !== undefined || changes.role !== undefined) {
        await this.subscriptions.lockLimits(tx, tenant_id);
      }
      const users = tx.repository(User);
      const user = await users.findOne({ where: { id, tenant_id }, lock: { mode: 'for_no_key_update' } });
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role, changes.role);
      if (changes.active && !user.active) await this.ensureWithinLimit(tx, tenant_id);
      // The database's NOT NULL constraints reject null for required fields.
      const fields = changes as Partial<User>;
      const changed = changedFields(user, fields);
      if (changed.includes('email')) fields.email_confirmed_at = null;
      await users.update({ id, tenant_id }, { ...fields, updated_at: this.clock.now() });
      if (department_ids && (await this.memberships.replace(tx, tenant_id, id, department_ids))) {
        changed.push('department_ids');
      }
      if (user.role === 'owner' && user.active) await this.ensureOwnerRemains(tx, tenant_id);
      if (changed.length > 0) {
        const at = this.clock.now().toISOString();
        await this.events.record(tx, new UserUpdated(tenant_id, id, at, changed));
      }
      if (changed.includes('email')) await this.mailAboutNewAddress(tx, user);
    });
    return this.list.get(tenant_id, id);
  }

  /** Invites a user without a password at the new address; notifies any other user at the former address. */
  private async mailAboutNewAddress(tx: Transaction, before: User): Promise<void> {
    const { id, tenant_id, email } = before;
    if (await this.invitations.canBeInvited(tx, before)) return this.invitations.invite(tx, before);
    await this.addressChangeMail.enqueue(tx, { tenant_id, user_id: id }, email);
  }

  private async ensureOwnerRemains(tx: Transaction, tenantId: string): Promise<void> {
    const owners = await tx.repository(User).countBy({ tenant_id: tenantId, role: 'owner', active: true });
    if (owners > 0) return;
    throw unprocessable('last_owner', 'The last active owner cannot be demoted or deactivated.');
  }

  /** @param added how many more users are to be active @throws 403 plan_limit */
  ensureWithinLimit(tx: Transaction, tenantId: string, added = 1): Promise<void> {
    const count = () => tx.repository(User).countBy({ tenant_id: tenantId, active: true });
    return this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_users', count, added);
  }
}
