import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { findUnknownIds } from '../../platform/database/find-unknown-ids';
import type { Transaction } from '../../platform/database/transaction';
import { type FieldErrors, invalidFields } from '../../platform/http/errors/api-error';
import { SubscriptionsService } from '../../plans/subscriptions.service';
import { InvitationsService } from './invitations.service';
import { MembershipsService } from './memberships.service';
import { departmentIdsOf, type InviteUserDto, type UserDto } from './user.dto';
import { UserList } from './user-list';
import { ensureMayManage } from './user.rules';
import { UsersService } from './users.service';

/** Invites several users at once. */
@Injectable()
export class InviteUsers {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsService,
    private readonly memberships: MembershipsService,
    private readonly invitations: InvitationsService,
    private readonly users: UsersService,
    private readonly list: UserList,
  ) {}

  /**
   * Invites all of these users, or none.
   * @throws 403, 422 and 429 as `UsersService.create`; 422 names each address that is in use or given twice, and each user with
   *   an unknown department
   */
  async invite(actor: Principal, inputs: InviteUserDto[]): Promise<UserDto[]> {
    ensureMayManage(actor.role, ...inputs.map(({ role }) => role));
    const { tenant_id } = actor;
    const ids = await this.invitations.withinAllowance(tenant_id, inputs.length, () =>
      this.database.tenant(tenant_id, (tx) => this.add(tx, tenant_id, inputs)),
    );
    return this.list.getAll(tenant_id, ids);
  }

  private async add(tx: Transaction, tenantId: string, inputs: InviteUserDto[]): Promise<string[]> {
    // Locks the tenant, so that two batches with the same addresses in another order cannot deadlock.
    await this.subscriptions.lockLimits(tx, tenantId);
    await this.users.ensureWithinLimit(tx, tenantId, inputs.length);
    await this.ensureValid(tx, tenantId, inputs);
    const users = await this.users.insertAll(
      tx,
      inputs.map(({ name, email, role, phone = null }) => {
        return { tenant_id: tenantId, name, email, role, phone, password_hash: null };
      }),
    );
    for (const [index, { id }] of users.entries()) {
      const departmentIds = departmentIdsOf(inputs[index] ?? {});
      if (departmentIds?.length) await this.memberships.replace(tx, tenantId, id, departmentIds);
    }
    // The allowance of mails is locked last.
    await this.invitations.inviteCounted(tx, tenantId, users);
    return users.map(({ id }) => id);
  }

  /** The constraints alone would not say which user of a batch is meant. @throws 422 */
  private async ensureValid(tx: Transaction, tenantId: string, inputs: InviteUserDto[]): Promise<void> {
    const addresses = inputs.map(({ email }) => email.toLowerCase());
    const found = await tx.query<{ email: string }>(
      'SELECT lower(email) AS email FROM users WHERE tenant_id = $1 AND lower(email) = ANY ($2)',
      [tenantId, addresses],
    );
    const used = new Set(found.map(({ email }) => email));
    const departmentIds = inputs.flatMap((input) => departmentIdsOf(input) ?? []);
    const unknown = await findUnknownIds(tx, 'departments', tenantId, departmentIds);
    const problems: FieldErrors = {};
    inputs.forEach((input, index) => {
      const address = addresses[index] ?? '';
      const isRepeated = addresses.indexOf(address) < index;
      if (used.has(address)) problems[`users.${index}.email`] = ['is already in use'];
      else if (isRepeated) problems[`users.${index}.email`] = ['is given twice'];
      if (departmentIdsOf(input)?.some((id) => unknown.has(id)))
        problems[`users.${index}.department_ids`] = ['names a department that does not exist'];
    });
    if (Object.keys(problems).length > 0) throw invalidFields(problems);
  }
}
