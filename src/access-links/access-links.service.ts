import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { ensureMayRefer } from '../identity/users/visible-records';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, unprocessable } from '../platform/http/errors/api-error';
import { parseTimestamp } from '../platform/http/input/timestamp';
import type { Principal } from '../platform/access/principal';
import { SubscriptionsService } from '../plans/subscriptions.service';
import { TenantsService } from '../tenancy/tenants.service';
import { AccessLinkCreated } from './access-link.events';
import type { AccessLinkDto, CreateAccessLinkDto } from './access-link.dto';
import { AccessLinkList, countActiveLinks } from './access-link-list';
import { newLinkToken } from '../platform/text/link-token';
import { validateLinkReferences } from './validate-link-references';

/** 192 random bits: 32 characters. */
const TOKEN_BYTES = 24;

/** Input for links that other contexts create; API clients can set the fields of CreateAccessLinkDto only. */
export interface NewAccessLink extends CreateAccessLinkDto {
  valid_from?: Date;
  /** When calls that joined through the link move to the front of the queue. */
  priority_from?: Date;
  /** The agent to whom calls through the link are reserved. */
  reserved_user_id?: string;
}

/** Creates links. */
@Injectable()
export class AccessLinksService {
  constructor(
    private readonly database: Database,
    private readonly list: AccessLinkList,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly subscriptions: SubscriptionsService,
    private readonly tenants: TenantsService,
  ) {}

  /** @throws 403 plan_limit; 422 for an unknown department, customer or skill, or an expiry in the past */
  async create(user: Principal, input: CreateAccessLinkDto): Promise<AccessLinkDto> {
    this.ensureFuture(input, 'expires_at');
    const id = await this.database.tenant(user.tenant_id, async (tx) => {
      await ensureMayRefer(tx, user, input);
      return this.insert(tx, user.tenant_id, user.user_id, input);
    });
    return this.list.get(user, id);
  }

  /**
   * Creates all links or none.
   * @returns the links in the order of the inputs
   * @throws 403 plan_limit; 422 naming each invalid field, as in `links.3.department_id`
   */
  async createAll(user: Principal, inputs: CreateAccessLinkDto[]): Promise<AccessLinkDto[]> {
    inputs.forEach((input, index) => this.ensureFuture(input, `links.${index}.expires_at`));
    const ids = await this.database.tenant(user.tenant_id, async (tx) => {
      // Lock order: the tenant comes first.
      await this.subscriptions.lockLimits(tx, user.tenant_id);
      const fields = await validateLinkReferences(tx, user.tenant_id, inputs);
      if (fields) throw unprocessable('validation_failed', 'Some fields are not valid.', fields);
      return this.insertAll(tx, user.tenant_id, user.user_id, inputs);
    });
    return this.list.getMany(user, ids);
  }

  private ensureFuture({ expires_at }: CreateAccessLinkDto, field: string): void {
    if (expires_at && parseTimestamp(expires_at) <= this.clock.now()) {
      throw invalidField(field, 'must be in the future');
    }
  }

  /** @returns the link's id @throws 403 plan_limit, 422 as create */
  async insert(
    tx: Transaction,
    tenantId: string,
    createdBy: string | null,
    input: NewAccessLink,
  ): Promise<string> {
    const [id] = await this.insertAll(tx, tenantId, createdBy, [input]);
    if (!id) throw new Error('INSERT returned no row');
    return id;
  }

  /** @returns the ids in the order of the inputs */
  private async insertAll(
    tx: Transaction,
    tenantId: string,
    createdBy: string | null,
    inputs: NewAccessLink[],
  ): Promise<string[]> {
    const now = this.clock.now();
    await this.ensureWithinLimit(tx, tenantId, inputs.length);
    const rows = inputs.map((input) => ({ ...input, id: randomUUID(), token: newLinkToken(TOKEN_BYTES) }));
    await tx.query(
      `INSERT INTO access_links (id, tenant_id, token, department_id, department_name, customer_id, label, max_uses,
         expires_at, valid_from, priority_from, reserved_user_id, priority, created_by, inserted_at)
       SELECT link.id, $1, token, department_id, d.name, customer_id, label, max_uses, expires_at, valid_from,
         priority_from, reserved_user_id, COALESCE(priority, 0), $2, $3
       FROM jsonb_to_recordset($4) AS link (id uuid, token text, department_id uuid, customer_id uuid, label text,
         max_uses integer, expires_at timestamptz, valid_from timestamptz, priority_from timestamptz,
         reserved_user_id uuid, priority smallint)
         LEFT JOIN departments d ON d.tenant_id = $1 AND d.id = link.department_id`,
      [tenantId, createdBy, now, JSON.stringify(rows.map(withParsedExpiry))],
    );
    await insertRequiredSkills(tx, tenantId, rows);
    for (const { id, department_id, customer_id } of rows) {
      await this.events.record(
        tx,
        new AccessLinkCreated(tenantId, id, now.toISOString(), department_id, customer_id ?? null),
      );
    }
    return rows.map(({ id }) => id);
  }

  /**
   * Call it before as many links become active. A link ceases to be active in many ways, also by the passing of time, so an upper
   * bound of the number is kept with the tenant, and they are counted only when that is above the limit.
   * @throws 403 plan_limit
   */
  async ensureWithinLimit(tx: Transaction, tenantId: string, added: number): Promise<void> {
    let bound: number | undefined;
    const count = async (allowed: number) => {
      const known = await tx.one<{ bound: number }>(
        'SELECT active_links_bound AS bound FROM tenants WHERE id = $1 AND active_links_bound <= $2',
        [tenantId, allowed],
      );
      bound = known?.bound ?? (await this.countActive(tx, tenantId));
      return bound;
    };
    await this.subscriptions.ensureWithinLimit(tx, tenantId, 'max_active_links', count, added);
    if (bound !== undefined) this.tenants.rememberLinksBound(tx, tenantId, bound + added);
  }

  private async countActive(tx: Transaction, tenantId: string): Promise<number> {
    const counted = await tx.one<{ count: number }>(`SELECT (${countActiveLinks('$2')})::int AS count`, [
      tenantId,
      this.clock.now(),
    ]);
    return counted?.count ?? 0;
  }
}

/** Stores the time that was validated: PostgreSQL does not parse every ISO 8601 text as parseTimestamp does. */
const withParsedExpiry = (link: NewAccessLink) => ({
  ...link,
  expires_at: link.expires_at ? parseTimestamp(link.expires_at) : null,
});

/** Inserts the skills in the order of their ids, in which the foreign key locks them. */
async function insertRequiredSkills(
  tx: Transaction,
  tenantId: string,
  links: readonly (Pick<NewAccessLink, 'skills'> & { id: string })[],
): Promise<void> {
  const rows = links.flatMap(({ id, skills }) =>
    (skills ?? []).map(({ skill_id, min_level }) => ({ access_link_id: id, skill_id, min_level })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO access_link_skills (tenant_id, access_link_id, skill_id, min_level)
     SELECT $1, access_link_id, skill_id, min_level
     FROM jsonb_to_recordset($2) AS required (access_link_id uuid, skill_id uuid, min_level smallint)
     ORDER BY skill_id`,
    [tenantId, JSON.stringify(rows)],
  );
}
