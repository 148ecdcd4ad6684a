import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { ApiError } from '../platform/http/errors/api-error';
import type { RequiredSkillDto } from './required-skill.dto';

/** The ids that a link's token leads to. */
export interface ResolvedLink {
  tenant_id: string;
  link_id: string;
  department_id: string;
  /** The customer of a personal link. It may change until the link is used. */
  customer_id: string | null;
  requires_skills: boolean;
  /** Whether it is the link of an appointment. */
  is_appointment: boolean;
}

/** What a link sets for the calls that join through it. */
export interface JoinTerms {
  customer_id: string | null;
  /** When the call moves to the front of the queue. */
  priority_from: Date | null;
  /** The agent to whom the call is reserved. */
  reserved_user_id: string | null;
  /** 0 to 9. */
  priority: number;
}

/** True until the link is cancelled, used up or expired, or its department is deactivated; $2 is the current time. */
const OPEN_SQL = `l.cancelled_at IS NULL AND (l.max_uses IS NULL OR l.use_count < l.max_uses)
  AND (l.expires_at IS NULL OR l.expires_at > $2) AND d.active`;
const VALID_SQL = `${OPEN_SQL} AND (l.valid_from IS NULL OR l.valid_from <= $2) AND t.suspended_at IS NULL`;
const FROM_SQL = `FROM access_links l JOIN departments d ON d.id = l.department_id JOIN tenants t ON t.id = l.tenant_id`;

/** 404 for an unknown, cancelled, used up or expired link. The reason is not disclosed to strangers. */
export const invalidLink = () =>
  new ApiError(404, 'invalid_link', 'This link is not valid or has expired. Ask the company for a new one.');

/** 404 with a code of its own: the link itself is valid. */
const tenantSuspended = () =>
  new ApiError(404, 'tenant_suspended', 'The service of this company is suspended. Try again later.');

/** 404 with the time from which the link is valid. @param zone the company's IANA time zone */
const linkNotYetValid = (from: Date, zone: string) => {
  const time = DateTime.fromJSDate(from, { zone }).toFormat("yyyy-MM-dd 'at' HH:mm");
  return new ApiError(404, 'link_not_yet_valid', `This link is not valid before ${time} (${zone}).`);
};

/** A link that is open but cannot be used now. */
interface RejectedLink {
  is_suspended: boolean;
  valid_from: Date | null;
  timezone: string;
}

/** Resolves the token in a customer's link, the only credential a customer has, to a tenant's department. */
@Injectable()
export class AccessLinkResolver {
  constructor(private readonly clock: Clock) {}

  /** Resolves a link that is valid now. @throws 404 invalid_link, link_not_yet_valid or tenant_suspended */
  async resolve(tx: Transaction, token: string): Promise<ResolvedLink> {
    const link = await this.select(tx, VALID_SQL, [token, this.clock.now()]);
    return link ?? this.reject(tx, 'token', token);
  }

  /** Resolves a link in any state, because customers who joined through it may return. @throws 404 invalid_link */
  async resolveAny(tx: Transaction, token: string): Promise<ResolvedLink> {
    const link = await this.select(tx, 'true', [token]);
    if (!link) throw invalidLink();
    return link;
  }

  private select(tx: Transaction, condition: string, values: unknown[]): Promise<ResolvedLink | undefined> {
    return tx.one<ResolvedLink>(
      `SELECT l.tenant_id, l.id AS link_id, l.department_id, l.customer_id, l.priority_from IS NOT NULL AS is_appointment,
         EXISTS (SELECT FROM access_link_skills s WHERE s.access_link_id = l.id) AS requires_skills ${FROM_SQL}
       WHERE l.token = $1 AND ${condition}`,
      values,
    );
  }

  /**
   * Counts a use of the link. The row lock lets only one of two concurrent joins take the last use.
   * @throws 404 invalid_link, link_not_yet_valid or tenant_suspended
   */
  async use(tx: Transaction, linkId: string): Promise<JoinTerms> {
    const terms = await tx.one<JoinTerms>(
      `UPDATE access_links l SET use_count = use_count + 1 FROM departments d, tenants t
       WHERE l.id = $1 AND d.id = l.department_id AND t.id = l.tenant_id AND ${VALID_SQL}
       RETURNING l.customer_id, l.priority_from, l.reserved_user_id, l.priority`,
      [linkId, this.clock.now()],
    );
    return terms ?? this.reject(tx, 'id', linkId);
  }

  /**
   * The skills that an agent needs for a call through the link, sorted by skill_id. It keeps them from being deleted until
   * the transaction ends.
   */
  lockSkills(tx: Transaction, linkId: string): Promise<RequiredSkillDto[]> {
    return tx.query<RequiredSkillDto>(
      `SELECT s.skill_id, s.min_level FROM access_link_skills s
         JOIN skills k ON k.tenant_id = s.tenant_id AND k.id = s.skill_id
       WHERE s.access_link_id = $1 ORDER BY s.skill_id FOR KEY SHARE OF k`,
      [linkId],
    );
  }

  /** Throws the error for a link that is not valid. It discloses the reason only if the link itself is open. */
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
