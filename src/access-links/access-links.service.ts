import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { InTransaction } from '../platform/events/listeners';
import { invalidField, notFound, unprocessable } from '../platform/http/errors/api-error';
import { parseTimestamp } from '../platform/http/input/timestamp';
import type { Principal } from '../platform/access/principal';
import { AccessLinkCancelled, AccessLinkCreated } from './access-link.events';
import type { AccessLinkDto, CreateAccessLinkDto } from './access-link.dto';
import { AccessLinkList } from './access-link-list';
import { unknownReferences } from './unknown-references';

/** 192 random bits, in 32 characters that are safe in addresses. */
const newToken = () => randomBytes(24).toString('base64url');

/** A link as it may be made from within; a person's request says no more than CreateAccessLinkDto. */
export interface NewAccessLink extends CreateAccessLinkDto {
  /** From when on it lets its customer in. */
  valid_from?: Date;
  /** From when on they go before all others in line. */
  priority_from?: Date;
  /** The agent who expects them. */
  reserved_user_id?: string;
}

@Injectable()
export class AccessLinksService {
  constructor(
    private readonly database: Database,
    private readonly list: AccessLinkList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for an unknown department or customer, or an expiry in the past */
  async create(user: Principal, input: CreateAccessLinkDto): Promise<AccessLinkDto> {
    this.ensureFuture(input, 'expires_at');
    const id = await this.database.tenant(user.tenant_id, (tx) =>
      this.insert(tx, user.tenant_id, user.user_id, input),
    );
    return this.list.get(user.tenant_id, id);
  }

  /**
   * Makes all of them or none, in the order given.
   * @throws 422 naming each field that is wrong, as in `links.3.department_id`
   */
  async createAll(user: Principal, inputs: CreateAccessLinkDto[]): Promise<AccessLinkDto[]> {
    inputs.forEach((input, index) => this.ensureFuture(input, `links.${index}.expires_at`));
    const ids = await this.database.tenant(user.tenant_id, async (tx) => {
      const fields = await unknownReferences(tx, user.tenant_id, inputs);
      if (fields) throw unprocessable('validation_failed', 'Some fields are not valid.', fields);
      return this.insertAll(tx, user.tenant_id, user.user_id, inputs);
    });
    return this.list.several(user.tenant_id, ids);
  }

  private ensureFuture({ expires_at }: CreateAccessLinkDto, field: string): void {
    if (expires_at && parseTimestamp(expires_at) <= this.clock.now()) {
      throw invalidField(field, 'must lie in the future');
    }
  }

  /** @returns the link's id */
  async insert(
    tx: Transaction,
    tenantId: string,
    createdBy: string | null,
    input: NewAccessLink,
  ): Promise<string> {
    const [id] = await this.insertAll(tx, tenantId, createdBy, [input]);
    if (!id) throw new Error('INSERT gave no row');
    return id;
  }

  /** @returns the links' ids, in the order given */
  private async insertAll(
    tx: Transaction,
    tenantId: string,
    createdBy: string | null,
    inputs: NewAccessLink[],
  ): Promise<string[]> {
    const now = this.clock.now();
    const rows = inputs.map((input) => ({ ...input, id: randomUUID(), token: newToken() }));
    await tx.query(
      `INSERT INTO access_links (id, tenant_id, token, department_id, customer_id, label, max_uses, expires_at,
         valid_from, priority_from, reserved_user_id, created_by, inserted_at)
       SELECT id, $1, token, department_id, customer_id, label, max_uses, expires_at, valid_from, priority_from,
         reserved_user_id, $2, $3
       FROM jsonb_to_recordset($4) AS link (id uuid, token text, department_id uuid, customer_id uuid, label text,
         max_uses integer, expires_at timestamptz, valid_from timestamptz, priority_from timestamptz,
         reserved_user_id uuid)`,
      [tenantId, createdBy, now, JSON.stringify(rows.map(withMoment))],
    );
    for (const { id, department_id, customer_id } of rows) {
      await this.events.record(
        tx,
        new AccessLinkCreated(tenantId, id, now.toISOString(), department_id, customer_id ?? null),
      );
    }
    return rows.map(({ id }) => id);
  }

  /**
   * Cancels the link at once: nobody comes in by it any more; who is in, stays. What is cancelled already stays so.
   * @throws 404
   */
  async cancel(tenantId: string, id: string): Promise<AccessLinkDto> {
    await this.database.tenant(tenantId, async (tx) => {
      const found = await tx.query('SELECT FROM access_links WHERE tenant_id = $1 AND id = $2', [
        tenantId,
        id,
      ]);
      if (found.length === 0) throw notFound('Access link');
      await this.cancelWhere(tx, tenantId, 'id', id);
    });
    return this.list.get(tenantId, id);
  }

  /** Cancels all links of the tenant with this value in the column, and says so of each. */
  async cancelWhere(
    tx: Transaction,
    tenantId: string,
    column: 'id' | 'department_id' | 'customer_id',
    value: string,
  ): Promise<void> {
    const now = this.clock.now();
    const cancelled = await tx.query<{ id: string }>(
      `UPDATE access_links SET cancelled_at = $3
       WHERE tenant_id = $1 AND ${column} = $2 AND cancelled_at IS NULL RETURNING id`,
      [tenantId, value, now],
    );
    for (const { id } of cancelled) {
      await this.events.record(tx, new AccessLinkCancelled(tenantId, id, now.toISOString()));
    }
  }

  /** A deleted department's links are cancelled and keep its name. */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted({ tenant_id, subject_id }: DepartmentDeleted, tx: Transaction): Promise<void> {
    await this.cancelWhere(tx, tenant_id, 'department_id', subject_id);
    await tx.query(
      `UPDATE access_links l SET department_name = d.name
       FROM departments d WHERE l.tenant_id = $1 AND l.department_id = $2 AND d.id = $2`,
      [tenant_id, subject_id],
    );
  }
}

/** PostgreSQL and ISO 8601 do not read all dates alike: what was checked is what is meant. */
const withMoment = (link: NewAccessLink) => ({
  ...link,
  expires_at: link.expires_at ? parseTimestamp(link.expires_at) : null,
});
