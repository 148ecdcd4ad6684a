import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import type { Transaction } from '../platform/database/transaction';
import { ApiError } from '../platform/http/api-error';

/** What stands behind a link. */
export interface Entrance {
  tenant_id: string;
  link_id: string;
  customer_id: string | null;
  department_id: string;
}

/** A link is good while active, unexpired, with uses left, its department active and its tenant, too. */
const GOOD = `l.cancelled_at IS NULL AND (l.max_uses IS NULL OR l.use_count < l.max_uses)
  AND (l.expires_at IS NULL OR l.expires_at > $2) AND d.active AND t.suspended_at IS NULL`;

/** 404 for a link that does not let anybody in, whatever the reason: a stranger learns nothing. */
export const invalidLink = () =>
  new ApiError(404, 'invalid_link', 'This link is not valid or has expired. Ask the company for a new one.');

/** The way from a link's token, which is all that a customer has, to a tenant's department. */
@Injectable()
export class LinkEntrance {
  constructor(private readonly clock: Clock) {}

  /** A link that is good right now. @throws 404 invalid_link */
  find(tx: Transaction, token: string): Promise<Entrance> {
    return this.read(tx, GOOD, [token, this.clock.now()]);
  }

  /** As find, also for a link that is no longer good: whoever came in by it may come back. */
  findAny(tx: Transaction, token: string): Promise<Entrance> {
    return this.read(tx, 'true', [token]);
  }

  private async read(tx: Transaction, condition: string, values: unknown[]): Promise<Entrance> {
    const entrance = await tx.one<Entrance>(
      `SELECT l.tenant_id, l.id AS link_id, l.customer_id, l.department_id
       FROM access_links l JOIN departments d ON d.id = l.department_id JOIN tenants t ON t.id = l.tenant_id
       WHERE l.token = $1 AND ${condition}`,
      values,
    );
    if (!entrance) throw invalidLink();
    return entrance;
  }

  /**
   * Uses the link once more. Of two joins racing for its last use the database lets one in.
   * @throws 404 invalid_link
   */
  async use(tx: Transaction, linkId: string): Promise<void> {
    const used = await tx.query(
      `UPDATE access_links l SET use_count = use_count + 1 FROM departments d, tenants t
       WHERE l.id = $1 AND d.id = l.department_id AND t.id = l.tenant_id AND ${GOOD} RETURNING l.id`,
      [linkId, this.clock.now()],
    );
    if (used.length === 0) throw invalidLink();
  }
}
