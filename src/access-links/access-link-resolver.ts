import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { invalidLink, linkError, type LinkState } from './link-errors';
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
  /** The country of the company, as ISO 3166. */
  country: string;
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

/** Resolves the token in a customer's link, the only credential a customer has, to a tenant's department. */
@Injectable()
export class AccessLinkResolver {
  constructor(private readonly clock: Clock) {}

  /** Resolves a link that is valid now. @throws 404 with the codes of link-errors.ts */
  async resolve(tx: Transaction, token: string): Promise<ResolvedLink> {
    const link = await this.select(tx, VALID_SQL, [token, this.clock.now()]);
    return link ?? this.reject(tx, 'token', token);
  }

  /**
   * Resolves a link in any state, because customers who joined through it may return.
   * @throws 404 if it is unknown or its department was deleted
   */
  async resolveAny(tx: Transaction, token: string): Promise<ResolvedLink> {
    return (await this.select(tx, 'true', [token])) ?? this.reject(tx, 'token', token);
  }

  private select(tx: Transaction, condition: string, values: unknown[]): Promise<ResolvedLink | undefined> {
    return tx.one<ResolvedLink>(
      `SELECT l.tenant_id, l.id AS link_id, l.department_id, l.customer_id, l.priority_from IS NOT NULL AS is_appointment, t.country,
         EXISTS (SELECT FROM access_link_skills s WHERE s.access_link_id = l.id) AS requires_skills ${FROM_SQL}
       WHERE l.token = $1 AND ${condition}`,
      values,
    );
  }

  /**
   * Counts a use of the link. The row lock lets only one of two concurrent joins take the last use.
   * @throws 404 with the codes of link-errors.ts
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

  private async reject(tx: Transaction, column: 'token' | 'id', value: string): Promise<never> {
    const link = await tx.one<LinkState>(
      `SELECT COALESCE(l.cancelled_at, CASE WHEN d.id IS NULL THEN l.inserted_at END) AS cancelled_at, l.max_uses, l.use_count, l.expires_at, l.valid_from, t.timezone,
         COALESCE(d.active, false) AS has_active_department, t.suspended_at IS NOT NULL AS is_suspended
       FROM access_links l JOIN tenants t ON t.id = l.tenant_id LEFT JOIN departments d ON d.id = l.department_id
       WHERE l.${column} = $1`,
      [value],
    );
    // Without an error, the link has become valid since it was read.
    throw (link && linkError(link, this.clock.now())) ?? invalidLink();
  }
}
