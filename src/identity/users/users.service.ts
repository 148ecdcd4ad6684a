import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { changedFields } from '../../platform/events/record-updated';
import { EventBus } from '../../platform/events/event-bus';
import { forbidden, invalidField, notFound, unprocessable } from '../../platform/http/errors/api-error';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { MailAllowance } from '../../plans/mail-allowance';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { UsageRegistry } from '../../plans/usage-registry';
import { AddressChangeMail } from '../mail/address-change-mail';
import { InvitationsService } from './invitations.service';
import { MembershipsService } from './memberships.service';
import { PasswordHasher } from './password-hasher';
import { SetPassword } from './set-password';
import {
  type CreateUserDto,
  departmentIdsOf,
  type UpdateCurrentUserDto,
  type UpdateUserDto,
  type UserDto,
} from './user.dto';
import { User } from './user.entity';
import { UserCreated, UserUpdated } from './user.events';
import { UserList } from './user-list';
import { ensureMayManage, ensureMaySetPassword } from './user.rules';

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
    private readonly passwords: SetPassword,
    private readonly rateLimiter: RateLimiter,
    private readonly allowance: MailAllowance,
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
    const departmentIds = departmentIdsOf(input);
    if (departmentIds?.length) await this.memberships.replace(tx, tenant_id, user.id, departmentIds);
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
    for (const { tenant_id, id, role } of users)
      await this.events.record(tx, new UserCreated(tenant_id, id, at, role));
    return users;
  }

  /**
   * Changes the given fields. Listeners of UserUpdated end sessions and invalidate mailed links where needed. A new
   * e-mail address or password is refused when the mail about it exceeds the tenant's allowance.
   * @throws 403 for a user or role above the caller's, for a password of the caller or a role not below the caller's, or
   *   plan_limit; 404; 422 if no active owner would remain; 429 when the tenant exceeds its hourly allowance of invitations
   */
  async update(actor: Principal, id: string, input: UpdateUserDto): Promise<UserDto> {
    const { tenant_id } = actor;
    const { department_ids, department_id, password, ...changes } = input;
    const departmentIds = departmentIdsOf({ department_ids, department_id });
    if (password && id === actor.user_id)
      throw forbidden('Change your own password with the current one: PUT /api/v1/users/me.');
    const passwordHash = password && (await this.hasher.hash(password));
    await this.database.tenant(tenant_id, async (tx) => {
      // Both the plan's limit and the number of owners are counted under the tenant's lock.
      if (changes.active !== undefined || changes.role !== undefined) {
        await this.subscriptions.lockLimits(tx, tenant_id);
      }
      const users = tx.repository(User);
      const user = await users.findOne({ where: { id, tenant_id }, lock: { mode: 'for_no_key_update' } });
      if (!user) throw notFound('User');
      ensureMayManage(actor.role, user.role, changes.role);
      if (passwordHash) ensureMaySetPassword(actor.role, user.role);
      if (changes.active && !user.active) await this.ensureWithinLimit(tx, tenant_id);
      // The database's NOT NULL constraints reject null for required fields.
      const fields = changes as Partial<User>;
      const changed = changedFields(user, fields);
      if (changed.includes('email')) fields.email_confirmed_at = null;
      await users.update({ id, tenant_id }, { ...fields, updated_at: this.clock.now() });
      if (passwordHash)
        await this.passwords.set(tx, user, passwordHash, { by: 'manager', kept_session_id: null });
      if (departmentIds && (await this.memberships.replace(tx, tenant_id, id, departmentIds))) {
        changed.push('department_ids');
      }
      if (user.role === 'owner' && user.active) await this.ensureOwnerRemains(tx, tenant_id);
      if (changed.length > 0) {
        const at = this.clock.now().toISOString();
        const roles =
          changed.includes('role') && fields.role ? { role: fields.role, previous_role: user.role } : null;
        await this.events.record(tx, new UserUpdated(tenant_id, id, at, changed, roles));
      }
      if (changed.includes('email')) await this.mailAboutNewAddress(tx, user);
      if (passwordHash) await this.allowance.ensureForStaff(tx, tenant_id);
    });
    return this.list.get(tenant_id, id);
  }

  /**
   * Changes the caller's own fields. A new password ends the other sessions; it is refused when the mail about it, to an
   * address that was never confirmed, exceeds the tenant's allowance.
   * @throws 403 plan_limit; 422 for a missing or wrong current password; 429 after too many passwords
   */
  async updateOwn(
    { tenant_id, user_id: id, session_id }: Principal,
    input: UpdateCurrentUserDto,
  ): Promise<void> {
    const { password, current_password, ...changes } = input;
    const formerHash = password ? await this.verifyPassword(tenant_id, id, current_password) : null;
    const passwordHash = password && (await this.hasher.hash(password));
    await this.database.tenant(tenant_id, async (tx) => {
      const users = tx.repository(User);
      const user = await users.findOne({
        select: {
          id: true,
          tenant_id: true,
          name: true,
          phone: true,
          password_hash: true,
          email_confirmed_at: true,
        },
        where: { id, tenant_id },
        lock: { mode: 'for_no_key_update' },
      });
      if (!user) throw notFound('User');
      const fields = changes as Partial<User>;
      const changed = changedFields(user, fields);
      const at = this.clock.now();
      await users.update({ id, tenant_id }, { ...fields, updated_at: at });
      if (changed.length > 0)
        await this.events.record(tx, new UserUpdated(tenant_id, id, at.toISOString(), changed));
      if (!passwordHash) return;
      // It may have been set while it was verified.
      if (user.password_hash !== formerHash) throw wrongPassword();
      await this.passwords.set(tx, user, passwordHash, { by: 'user', kept_session_id: session_id });
      if (!user.email_confirmed_at) await this.allowance.ensureForStaff(tx, tenant_id);
    });
  }

  /**
   * @returns the hash that the password matches
   * @throws 422 for a missing or wrong password; 429 after too many, right ones included: each change is mailed
   */
  private async verifyPassword(
    tenantId: string,
    id: string,
    password: string | null | undefined,
  ): Promise<string> {
    if (!password) throw invalidField('current_password', 'is required for a new password');
    await this.rateLimiter.consume('password', id);
    const [[user]] = await this.database.readTenant<[Pick<User, 'password_hash'>]>(tenantId, [
      { text: 'SELECT password_hash FROM users WHERE tenant_id = $1 AND id = $2', values: [tenantId, id] },
    ]);
    const hash = user?.password_hash ?? null;
    if (hash === null || !(await this.hasher.matches(hash, password))) throw wrongPassword();
    return hash;
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

const wrongPassword = () => invalidField('current_password', 'is wrong');
