import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { changedFields } from '../platform/events/record-updated';
import { EventBus } from '../platform/events/event-bus';
import { legalHold } from '../tenancy/legal-hold.constraints';
import { isTenantHeld } from '../tenancy/tenant-hold';
import type { Viewer } from '../identity/users/visible-records';
import { notFound } from '../platform/http/errors/api-error';
import type { CreateCustomerDto, CustomerDto, UpdateCustomerDto } from './customer.dto';
import { Customer } from './customer.entity';
import { CustomerCreated, CustomerDeleted, CustomerUpdated } from './customer.events';
import { CustomerList, isVisibleCustomer } from './customer-list';
import { PhoneNumbers } from './phone-numbers';

/** Creates, updates and deletes customers. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly database: Database,
    private readonly list: CustomerList,
    private readonly phones: PhoneNumbers,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  async create(user: Viewer, input: CreateCustomerDto): Promise<CustomerDto> {
    const { tenant_id, user_id } = user;
    const id = await this.database.tenant(tenant_id, async (tx) => {
      const phone_normalized = input.phone ? await this.phones.normalized(tx, tenant_id, input.phone) : null;
      return this.insert(tx, tenant_id, { ...input, phone_normalized }, user_id);
    });
    return this.list.get(user, id);
  }

  /** @param createdBy the member of staff who creates the customer  @returns the customer's id */
  async insert(
    tx: Transaction,
    tenantId: string,
    input: CreateCustomerDto & { phone_normalized?: string | null },
    createdBy: string | null = null,
  ): Promise<string> {
    const now = this.clock.now();
    const id = randomUUID();
    await tx.repository(Customer).insert({
      id,
      tenant_id: tenantId,
      name: input.name,
      email: input.email ?? null,
      phone: input.phone ?? null,
      phone_normalized: input.phone_normalized ?? null,
      document: input.document ?? null,
      notes: input.notes ?? null,
      metadata: input.metadata ?? {},
      created_by: createdBy,
      inserted_at: now,
      updated_at: now,
    });
    await this.events.record(tx, new CustomerCreated(tenantId, id, now.toISOString()));
    return id;
  }

  /** @throws 404, also for a customer that the user may not see */
  async update(user: Viewer, id: string, input: UpdateCustomerDto): Promise<CustomerDto> {
    const tenantId = user.tenant_id;
    await this.database.tenant(tenantId, async (tx) => {
      if (!(await isVisibleCustomer(tx, user, id))) throw notFound('Customer');
      const customer = await this.lock(tx, tenantId, id);
      const changes = { ...input, ...(input.metadata === null ? { metadata: {} } : {}) } as Partial<Customer>;
      const changed = changedFields(customer, changes);
      if (changed.length === 0) return;
      const now = this.clock.now();
      await tx.repository(Customer).update({ id, tenant_id: tenantId }, { ...changes, updated_at: now });
      if (changed.includes('phone')) await this.phones.normalize(tx, tenantId, id);
      await this.events.record(tx, new CustomerUpdated(tenantId, id, now.toISOString(), changed));
    });
    return this.list.get(user, id);
  }

  /** Past calls keep the customer's name and contact details. @throws 404, or 422 from a listener */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) => this.remove(tx, tenantId, id));
  }

  /**
   * Deletes the customer after the listeners of CustomerDeleted have settled the customer's records. The lock prevents
   * new calls, links and appointments meanwhile.
   * @param erase erases the personal data in the records that remain; omitted when they keep it
   * @throws 404, 422 legal_hold, or 422 from a listener
   */
  async remove(tx: Transaction, tenantId: string, id: string, erase?: () => Promise<void>): Promise<void> {
    if (await isTenantHeld(tx, tenantId)) throw legalHold();
    await lockDepartments(tx, tenantId);
    await this.lock(tx, tenantId, id, 'pessimistic_write');
    const now = this.clock.now().toISOString();
    await this.events.record(tx, new CustomerDeleted(tenantId, id, now, erase !== undefined));
    await erase?.();
    await tx.repository(Customer).delete({ id, tenant_id: tenantId });
  }

  private async lock(
    tx: Transaction,
    tenantId: string,
    id: string,
    mode: 'for_no_key_update' | 'pessimistic_write' = 'for_no_key_update',
  ): Promise<Customer> {
    const customer = await tx
      .repository(Customer)
      .findOne({ where: { id, tenant_id: tenantId }, lock: { mode } });
    if (!customer) throw notFound('Customer');
    return customer;
  }
}

/**
 * Keeps the tenant's departments from being deleted until the transaction ends. The customer's links, calls and
 * appointments are written more than once, for which PostgreSQL locks their departments: after the customer, this would
 * be the reverse of the order in which deleting a department locks them.
 */
async function lockDepartments(tx: Transaction, tenantId: string): Promise<void> {
  await tx.query(
    `SELECT count(*) FROM (SELECT FROM departments WHERE tenant_id = $1 ORDER BY id FOR KEY SHARE) locked`,
    [tenantId],
  );
}
