import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import type { Transaction } from '../platform/database/transaction';
import { EventBus } from '../platform/events/event-bus';
import { invalidField, unprocessable } from '../platform/http/errors/api-error';
import { parseTimestamp } from '../platform/http/input/timestamp';
import type { Principal } from '../platform/access/principal';
import { AccessLinkCreated } from './access-link.events';
import type { AccessLinkDto, CreateAccessLinkDto } from './access-link.dto';
import { AccessLinkList } from './access-link-list';
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
  ) {}

  /** @throws 422 for an unknown department, customer or skill, or an expiry in the past */
  async create(user: Principal, input: CreateAccessLinkDto): Promise<AccessLinkDto> {
    this.ensureFuture(input, 'expires_at');
    const id = await this.database.tenant(user.tenant_id, (tx) =>
      this.insert(tx, user.tenant_id, user.user_id, input),
    );
    return this.list.get(user.tenant_id, id);
  }

  /**
   * Creates all links or none.
   * @returns the links in the order of the inputs
   * @throws 422 naming each invalid field, as in `links.3.department_id`
   */
  async createAll(user: Principal, inputs: CreateAccessLinkDto[]): Promise<AccessLinkDto[]> {
    inputs.forEach((input, index) => this.ensureFuture(input, `links.${index}.expires_at`));
    const ids = await this.database.tenant(user.tenant_id, async (tx) => {
      const fields = await validateLinkReferences(tx, user.tenant_id, inputs);
      if (fields) throw unprocessable('validation_failed', 'Some fields are not valid.', fields);
      return this.insertAll(tx, user.tenant_id, user.user_id, inputs);
    });
    return this.list.getMany(user.tenant_id, ids);
  }

  private ensureFuture({ expires_at }: CreateAccessLinkDto, field: string): void {
    if (expires_at && parseTimestamp(expires_at) <= this.clock.now()) {
      throw invalidField(field, 'must be in the future');
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
    const rows = inputs.map((input) => ({ ...input, id: randomUUID(), token: newLinkToken(TOKEN_BYTES) }));
    await tx.query(
      `INSERT INTO access_links (id, tenant_id, token, department_id, customer_id, label, max_uses, expires_at,
         valid_from, priority_from, reserved_user_id, priority, created_by, inserted_at)
       SELECT id, $1, token, department_id, customer_id, label, max_uses, expires_at, valid_from, priority_from,
         reserved_user_id, COALESCE(priority, 0), $2, $3
       FROM jsonb_to_recordset($4) AS link (id uuid, token text, department_id uuid, customer_id uuid, label text,
         max_uses integer, expires_at timestamptz, valid_from timestamptz, priority_from timestamptz,
         reserved_user_id uuid, priority smallint)`,
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
