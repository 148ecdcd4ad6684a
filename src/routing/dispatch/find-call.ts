import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { GENERIC_PLAN, type Statement } from '../../platform/database/statement';
import { isExcluded, isOffered, isReachable } from '../offers/eligibility-sql';
import { type CallWithCandidates, candidatesOf } from '../offers/select-agent';

/** A single probe, before anything else is read: a wake-up is often handled after the agent has got another offer. */
const IS_AVAILABLE = `EXISTS (SELECT FROM presences p WHERE p.user_id = $2 AND p.state = 'available')`;

/**
 * The entry `e` has no pending offer, the agent $2 is not excluded from it, and it was not tried before in this run. A call that
 * overflowed from a deleted department stays in the line until a job cancels it, and must not stop those behind it.
 */
const IS_FREE = `NOT ${isOffered('$1', 'e.call_id')} AND NOT ${isExcluded('e.call_id', '$2', '$3')}
  AND e.call_id <> ALL ($4::uuid[])
  AND (e.overflowed_from IS NULL OR EXISTS (SELECT FROM departments o WHERE o.id = e.overflowed_from OFFSET 0))`;

/**
 * Three kinds of index probes, however long the lines are: one for each lane of the agent's departments, one for the
 * first call of each lane that the agent can serve, and one for the calls that are reserved for them. A lane is what
 * entries with the same needs have in common; the recursion jumps from one to the next (a loose index scan).
 * OFFSET 0 keeps PostgreSQL from joining whole tables for what is read for a few entries. The first call of a lane is read
 * as that of this lane and all later ones: PostgreSQL would expect few calls in a single lane, and sort all of them. A call that overflowed has an entry in two lines; an agent of both takes it from
 * the one that it joined.
 */
const FIND_CALL = `WITH RECURSIVE mine AS MATERIALIZED (
    SELECT m.department_id AS id FROM department_members m WHERE m.user_id = $2 AND ${IS_AVAILABLE}
      AND EXISTS (SELECT FROM departments d WHERE d.id = m.department_id AND d.routing = 'automatic' AND d.active OFFSET 0)),
  own_skills AS MATERIALIZED (SELECT skill_id, level FROM user_skills WHERE tenant_id = $1 AND user_id = $2),
  lanes AS (
    SELECT f.* FROM mine CROSS JOIN LATERAL (
      SELECT e.department_id, e.lane, e.reserved_user_id, e.skill_ids, e.min_levels FROM line_entries e
      WHERE e.department_id = mine.id AND e.present ORDER BY e.lane LIMIT 1) f
    UNION ALL
    SELECT f.* FROM lanes l CROSS JOIN LATERAL (
      SELECT e.department_id, e.lane, e.reserved_user_id, e.skill_ids, e.min_levels FROM line_entries e
      WHERE e.department_id = l.department_id AND e.present AND e.lane > l.lane ORDER BY e.lane LIMIT 1) f),
  servable AS MATERIALIZED (
    SELECT l.department_id, l.lane FROM lanes l
    WHERE (l.reserved_user_id IS NULL OR l.reserved_user_id = $2 OR NOT ${isReachable('l.reserved_user_id')})
      AND (l.reserved_user_id IS NOT DISTINCT FROM $2 OR NOT EXISTS (
        SELECT FROM unnest(l.skill_ids, l.min_levels) AS needed (skill_id, min_level) WHERE NOT EXISTS (
          SELECT FROM own_skills s WHERE s.skill_id = needed.skill_id AND s.level >= needed.min_level)))),
  heads AS (
    SELECT h.call_id, h.department_id, h.overflowed_from, h.first_at, h.rank_at, h.queue_number
    FROM servable l CROSS JOIN LATERAL (
      SELECT e.call_id, e.department_id, e.overflowed_from, e.lane, e.first_at, e.rank_at, e.queue_number FROM line_entries e
      WHERE e.department_id = l.department_id AND e.lane >= l.lane AND e.present AND e.present_until > $3 AND ${IS_FREE}
      ORDER BY e.lane, e.first_at, e.rank_at, e.queue_number LIMIT 1) h
    WHERE h.lane = l.lane
    UNION ALL
    -- A call that is reserved for the agent can wait in a department they do not belong to.
    (SELECT e.call_id, e.department_id, e.overflowed_from, e.first_at, e.rank_at, e.queue_number FROM line_entries e
     WHERE e.reserved_user_id = $2 AND ${IS_AVAILABLE} AND e.present AND e.present_until > $3 AND ${IS_FREE}
       AND EXISTS (SELECT FROM departments d WHERE d.id = e.department_id AND d.routing = 'automatic' AND d.active OFFSET 0)
     ORDER BY e.first_at, e.rank_at, e.queue_number LIMIT 1))
  SELECT f.call_id, f.department_id, ${candidatesOf({ call: 'f.call_id', department: 'f.department_id', now: '$3' })} AS candidates
  FROM (SELECT * FROM heads ORDER BY first_at, rank_at, queue_number, overflowed_from NULLS FIRST LIMIT 1) f`;

export type FoundCall = Omit<CallWithCandidates, 'tenant_id'>;

/**
 * Finds the first call that the agent may take, if they are available, in the order of the line across their departments,
 * and the agents whom it can be offered to, without locks.
 * @param now calls whose customers are present at this time, and exclusions that last longer
 * @param skipped calls that could not be claimed in this run
 */
export function findCallStatement(
  tenantId: string,
  userId: string,
  now: Date,
  skipped: readonly string[] = [],
): Statement {
  return {
    name: 'find-call',
    text: FIND_CALL,
    values: [tenantId, userId, now, skipped],
    settings: GENERIC_PLAN,
  };
}

/** Finds a call for an agent. */
@Injectable()
export class FindCall {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param skipped calls that could not be claimed in this run */
  async of(
    tenantId: string,
    userId: string,
    skipped: readonly string[],
  ): Promise<CallWithCandidates | undefined> {
    const statement = findCallStatement(tenantId, userId, this.clock.now(), skipped);
    const [[found]] = await this.database.readTenant<[FoundCall]>(tenantId, [statement]);
    return found && { tenant_id: tenantId, ...found };
  }
}
