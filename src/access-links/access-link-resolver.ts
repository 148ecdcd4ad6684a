import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { ApiError } from '../platform/http/errors/api-error';

/** What stands behind a link. */
export interface ResolvedLink {
  tenant_id: string;
  link_id: string;
  department_id: string;
}

/** On which terms a link lets its customer in. */
export interface JoinTerms {
  customer_id: string | null;
  /** From when on they go before all others in line. */
  priority_from: Date | null;
  /** The agent who expects them. */
  reserved_user_id: string | null;
}

/** A link is good while active, begun and unexpired, with uses left, its department active and its tenant, too. */
const OPEN_SQL = `l.cancelled_at IS NULL AND (l.max_uses IS NULL OR l.use_count < l.max_uses)
  AND (l.expires_at IS NULL OR l.expires_at > $2) AND d.active`;
const VALID_SQL = `${OPEN_SQL} AND (l.valid_from IS NULL OR l.valid_from <= $2) AND t.suspended_at IS NULL`;
const FROM_SQL = `FROM access_links l JOIN departments d ON d.id = l.department_id JOIN tenants t ON t.id = l.tenant_id`;

/** 404 for a link that does not let anybody in, whatever the reason: a stranger learns nothing. */
export const invalidLink = () =>
  new ApiError(404, 'invalid_link', 'This link is not valid or has expired. Ask the company for a new one.');

/** 404, too, but told apart: the link is good, the company's service is not. */
const tenantSuspended = () =>
  new ApiError(404, 'tenant_suspended', 'The service of this company is suspended. Try again later.');

/** 404 as well, and it is told when to come back. @param zone IANA, of the company */
const linkNotYetValid = (from: Date, zone: string) => {
  const time = DateTime.fromJSDate(from, { zone }).toFormat("yyyy-MM-dd 'at' HH:mm");
  return new ApiError(404, 'link_not_yet_valid', `This link is not valid before ${time} (${zone}).`);
};

/** A link that is not over, and still lets nobody in. */
interface RejectedLink {
  is_suspended: boolean;
  valid_from: Date | null;
  timezone: string;
}

/** The way from a link's token, which is all that a customer has, to a tenant's department. */
@Injectable()
export class AccessLinkResolver {
  constructor(private readonly clock: Clock) {}

  /** A link that is good right now. @throws 404 invalid_link, link_not_yet_valid or tenant_suspended */
  async resolve(tx: Transaction, token: string): Promise<ResolvedLink> {
    const entrance = await this.select(tx, VALID_SQL, [token, this.clock.now()]);
    return entrance ?? this.reject(tx, 'token', token);
  }

  /** As find, also for a link that is no longer good: whoever came in by it may come back. */
  async resolveAny(tx: Transaction, token: string): Promise<ResolvedLink> {
    const entrance = await this.select(tx, 'true', [token]);
    if (!entrance) throw invalidLink();
    return entrance;
  }

  private select(tx: Transaction, condition: string, values: unknown[]): Promise<ResolvedLink | undefined> {
    return tx.one<ResolvedLink>(
      `SELECT l.tenant_id, l.id AS link_id, l.department_id ${FROM_SQL}
       WHERE l.token = $1 AND ${condition}`,
      values,
    );
  }

  /**
   * Uses the link once more. Of two joins racing for its last use the database lets one in.
   * @throws 404 invalid_link, link_not_yet_valid or tenant_suspended
   */
  async use(tx: Transaction, linkId: string): Promise<JoinTerms> {
    const terms = await tx.one<JoinTerms>(
      `UPDATE access_links l SET use_count = use_count + 1 FROM departments d, tenants t
       WHERE l.id = $1 AND d.id = l.department_id AND t.id = l.tenant_id AND ${VALID_SQL}
       RETURNING l.customer_id, l.priority_from, l.reserved_user_id`,
      [linkId, this.clock.now()],
    );
    return terms ?? this.reject(tx, 'id', linkId);
  }

  /** Says why a link lets nobody in, as far as a stranger may know. */
  private async reject(tx: Transaction, column: 'token' | 'id', value: string): Promise<never> {
    const now = this.clock.now();
    const link = await tx.one<RejectedLink>(
      `SELECT t.suspended_at IS NOT NULL AS is_suspended, l.valid_from, t.timezone ${FROM_SQL}
       WHERE l.${column} = $1 AND ${OPEN_SQL}`,
      [value, now],
    );
    if (link?.is_suspended) throw tenantSuspended();
    if (link?.valid_from && link.valid_from > now) throw linkNotYetValid(link.valid_from, link.timezone);
    throw invalidLink();
  }
}
