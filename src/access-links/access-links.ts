import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DepartmentDeleted } from '../departments/department.events';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { InTransaction } from '../platform/events/listeners';
import { invalidField } from '../platform/http/api-error';
import { momentOf } from '../platform/http/moment';
import type { Principal } from '../platform/http/principal';
import { AccessLinkCreated } from './access-link.events';
import type { AccessLinkDto, CreateAccessLinkDto } from './access-link.dto';
import { AccessLinkList } from './access-link-list';

/** 192 random bits, in 32 characters that are safe in addresses. */
const newToken = () => randomBytes(24).toString('base64url');

@Injectable()
export class AccessLinks {
  constructor(
    private readonly database: Database,
    private readonly list: AccessLinkList,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @throws 422 for an unknown department or customer, or an expiry in the past */
  async create(user: Principal, input: CreateAccessLinkDto): Promise<AccessLinkDto> {
    if (input.expires_at && momentOf(input.expires_at) <= this.clock.now()) {
      throw invalidField('expires_at', 'must lie in the future');
    }
    const id = await this.database.tenant(user.tenant_id, (tx) =>
      this.insert(tx, user.tenant_id, user.user_id, input),
    );
    return this.list.get(user.tenant_id, id);
  }

  /** @returns the link's id */
  async insert(
    tx: Transaction,
    tenantId: string,
    createdBy: string | null,
    input: CreateAccessLinkDto,
  ): Promise<string> {
    const now = this.clock.now();
    const [link] = await tx.query<{ id: string }>(
      `INSERT INTO access_links
         (tenant_id, token, department_id, customer_id, label, max_uses, expires_at, created_by, inserted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
      [
        tenantId,
        newToken(),
        input.department_id,
        input.customer_id ?? null,
        input.label ?? null,
        input.max_uses ?? null,
        input.expires_at ? momentOf(input.expires_at) : null,
        createdBy,
        now,
      ],
    );
    if (!link) throw new Error('INSERT gave no row');
    await this.events.record(
      tx,
      new AccessLinkCreated(
        tenantId,
        link.id,
        now.toISOString(),
        input.department_id,
        input.customer_id ?? null,
      ),
    );
    return link.id;
  }

  /** A deleted department's links are cancelled and keep its name. */
  @InTransaction(DepartmentDeleted)
  async onDepartmentDeleted(event: DepartmentDeleted, tx: Transaction): Promise<void> {
    await tx.query(
      `UPDATE access_links l SET cancelled_at = COALESCE(l.cancelled_at, $3), department_name = d.name
       FROM departments d WHERE l.tenant_id = $1 AND l.department_id = $2 AND d.id = $2`,
      [event.tenant_id, event.subject_id, this.clock.now()],
    );
  }
}
