import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement';
import type { CallInLine } from '../offers/select-agent';
import { hasSkills, isExcluded, isOffered, isReachable } from '../offers/eligibility-sql';

const LANE = 'e.tenant_id, e.department_id, e.lane, e.reserved_user_id, e.skill_ids, e.min_levels';

const AVAILABLE_MEMBERS = `SELECT o.user_id
  FROM department_members o JOIN presences p ON p.user_id = o.user_id AND p.state = 'available'
  WHERE o.department_id = ANY ($2)`;

/**
 * The first lane of the line of each department $2, of each other department of their available members, and of each in which
 * a call is reserved for one of these: they must not get a call while one is before it in another line.
 */
const FIRST_LANES_OF_DEPARTMENTS = `SELECT f.* FROM (
    SELECT unnest($2::uuid[]) AS id
    UNION SELECT m.department_id FROM department_members m WHERE m.user_id IN (${AVAILABLE_MEMBERS})
    UNION SELECT r.department_id FROM (${AVAILABLE_MEMBERS}) a CROSS JOIN LATERAL (
      SELECT e.department_id FROM line_entries e WHERE e.reserved_user_id = a.user_id AND e.present OFFSET 0) r) AS asked
  CROSS JOIN LATERAL (
    SELECT ${LANE} FROM line_entries e
    WHERE e.department_id = asked.id AND e.present ORDER BY e.lane LIMIT 1) f`;

const NEXT_LANE_OF_DEPARTMENT = `SELECT f.* FROM lanes l CROSS JOIN LATERAL (
    SELECT ${LANE} FROM line_entries e
    WHERE e.department_id = l.department_id AND e.present AND e.lane > l.lane ORDER BY e.lane LIMIT 1) f`;

/**
 * The first call of each lane that an available agent can take, at $1, besides the calls $3. Lanes without such an agent
 * are left out before their calls are read. The others have at their beginning only as many calls to pass over as are being
 * offered, or were declined a moment ago, so the cost does not depend on the length of a line.
 */
const claimable = (firstLanes: string, nextLane: string) => `WITH RECURSIVE
  lanes AS (${firstLanes} UNION ALL ${nextLane}),
  open_lanes AS MATERIALIZED (
    SELECT l.* FROM lanes l
    WHERE EXISTS (SELECT FROM departments d
        WHERE d.id = l.department_id AND d.routing = 'automatic' AND d.active OFFSET 0)
      AND EXISTS (SELECT FROM tenants t WHERE t.id = l.tenant_id AND t.suspended_at IS NULL OFFSET 0)),
  available AS MATERIALIZED (
    SELECT p.tenant_id, p.user_id, ARRAY(SELECT m.department_id FROM department_members m
        WHERE m.tenant_id = p.tenant_id AND m.user_id = p.user_id) AS department_ids
    FROM presences p
    WHERE p.state = 'available' AND p.tenant_id IN (SELECT tenant_id FROM open_lanes)),
  served AS MATERIALIZED (
    SELECT l.department_id, l.lane, a.user_id FROM open_lanes l JOIN available a ON a.tenant_id = l.tenant_id
      AND (l.department_id = ANY (a.department_ids) OR a.user_id = l.reserved_user_id)
    WHERE (l.reserved_user_id IS NULL OR a.user_id = l.reserved_user_id OR NOT ${isReachable('l.reserved_user_id')})
      AND ((a.user_id = l.reserved_user_id) IS TRUE OR ${hasSkills('l', 'a.user_id')})),
  heads AS (
    SELECT h.* FROM (SELECT department_id, lane, array_agg(user_id) AS user_ids FROM served GROUP BY 1, 2) l
      CROSS JOIN LATERAL (
        SELECT e.tenant_id, e.call_id, e.department_id, e.lane, e.reserved_user_id, e.first_at, e.rank_at,
          e.queue_number FROM line_entries e
        WHERE e.department_id = l.department_id AND e.lane >= l.lane AND e.present AND e.present_until > $1
          AND e.call_id <> ALL ($3::uuid[])
          AND NOT ${isOffered('e.tenant_id', 'e.call_id')}
          AND EXISTS (SELECT FROM unnest(l.user_ids) AS free (user_id)
            WHERE NOT ${isExcluded('e.call_id', 'free.user_id', '$1')})
        ORDER BY e.lane, e.first_at, e.rank_at, e.queue_number LIMIT 1) h
    WHERE h.lane = l.lane)
  SELECT tenant_id, call_id, department_id, reserved_user_id FROM heads`;

const FIRST_OF_DEPARTMENTS = `${claimable(FIRST_LANES_OF_DEPARTMENTS, NEXT_LANE_OF_DEPARTMENT)}
  ORDER BY first_at, rank_at, queue_number LIMIT 1`;

/** A call that can be offered. */
export interface ClaimableCall extends CallInLine {
  /** The agent whom it is kept for, if that agent is reachable. */
  reserved_user_id: string | null;
}

/** Selects the first call of these departments that can be offered (ClaimableCall). */
export const firstOfStatement = (
  departmentIds: readonly string[],
  now: Date,
  skipped: readonly string[],
): Statement => ({ text: FIRST_OF_DEPARTMENTS, values: [now, departmentIds, skipped] });

/** Finds the waiting calls that can be offered now, without locks. */
@Injectable()
export class ClaimableCalls {
  constructor(private readonly database: Database) {}

  /**
   * The first call of these departments, and of other departments of their available members, in the order of the line
   * across them.
   * @param skipped calls that could not be claimed in this run
   */
  async firstOf(
    tenantId: string,
    departmentIds: readonly string[],
    now: Date,
    skipped: readonly string[],
  ): Promise<ClaimableCall | undefined> {
    const [[call]] = await this.database.readTenant<[ClaimableCall]>(tenantId, [
      firstOfStatement(departmentIds, now, skipped),
    ]);
    return call;
  }
}
