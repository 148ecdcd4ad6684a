import type { Filter } from '../../platform/database/filter';
import type { Statement } from '../../platform/database/statement';
import type { Subscription } from '../../plans/subscription.entity';
import type { AgentState } from '../agents/agent-state.rules';
import type { Candidate, RequiredSkill } from '../offers/eligibility.rules';
import type { ObstacleFacts } from './explain-routing.rules';

/** The call and its line, as `callStatement` selects them. */
export type CallRow = Omit<ObstacleFacts, 'plan_limit'> & {
  reserved_user_id: string | null;
  reserved_state: AgentState | null;
  skills: RequiredSkill[];
};

/** A user who may be able to take the call, with the levels of their skills by id. */
export type CandidateRow = Omit<Candidate, 'skills'> & { skills: Record<string, number> };

/** The subscription, with times as text, and the calls that count for the limit of the plan. */
export type ConcurrentCallsRow = Pick<Subscription, 'plan' | 'status'> & {
  grace_deadline: string | null;
  count: number;
};

/** The skills that the entry `e` of a line needs at present. */
const NEEDED_SKILLS = `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('skill_id', n.skill_id, 'min_level', n.min_level))
    FROM unnest(e.skill_ids, e.min_levels) AS n (skill_id, min_level)), '[]')`;

/**
 * The call, whether each obstacle to its offers applies, and what its entry in the line needs.
 * @param filter that selects the call `c`
 * @param now the time at which the customer must be present
 */
export function callStatement(filter: Filter, now: Date): Statement {
  return {
    text: `SELECT c.status <> 'queued' AS not_waiting,
        t.suspended_at IS NOT NULL AS suspended,
        lines.automatic IS NOT TRUE AS manual,
        lines.served IS NOT TRUE AS inactive_department,
        EXISTS (SELECT FROM offers o
          WHERE o.tenant_id = c.tenant_id AND o.call_id = c.id AND o.status = 'pending') AS offered,
        (c.callback_status IN ('requested', 'invited')) IS TRUE AS callback_pending,
        (e.present AND e.present_until > $${filter.values.length + 1}) IS NOT TRUE AS customer_absent,
        e.reserved_user_id, p.state AS reserved_state, ${NEEDED_SKILLS} AS skills
      FROM calls c JOIN tenants t ON t.id = c.tenant_id
        CROSS JOIN LATERAL (
          SELECT bool_or(d.routing = 'automatic') AS automatic, bool_or(d.routing = 'automatic' AND d.active) AS served
          FROM departments d WHERE d.tenant_id = c.tenant_id AND d.id IN (c.department_id, c.overflow_department_id)) lines
        LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = c.department_id
        LEFT JOIN presences p ON p.user_id = e.reserved_user_id
      ${filter.sql}`,
    values: [...filter.values, now],
  };
}

/**
 * The members of the departments in whose lines the call can be offered, or of its own department if there is none, and the
 * agent whom it is reserved for. The state is the one announced last, by
 * which calls are found and claimed.
 * @param now exclusions that last longer count
 */
export function candidatesStatement(tenantId: string, callId: string, now: Date): Statement {
  return {
    text: `SELECT u.id AS user_id, u.active, m.is_member, p.state,
        COALESCE((SELECT jsonb_object_agg(s.skill_id, s.level) FROM user_skills s WHERE s.user_id = u.id), '{}')
          AS skills,
        EXISTS (SELECT FROM offer_exclusions x
          WHERE x.call_id = c.id AND x.user_id = u.id AND x.until > $3) AS is_excluded
      FROM calls c LEFT JOIN line_entries e ON e.call_id = c.id AND e.department_id = c.department_id
        CROSS JOIN LATERAL (
          SELECT COALESCE(array_agg(d.id), ARRAY[c.department_id]) AS ids FROM departments d
          WHERE d.tenant_id = c.tenant_id AND d.id IN (c.department_id, c.overflow_department_id)
            AND d.active AND d.routing = 'automatic') lines
        CROSS JOIN LATERAL (
          SELECT DISTINCT m.user_id, true AS is_member FROM department_members m WHERE m.department_id = ANY (lines.ids)
          UNION ALL
          SELECT e.reserved_user_id, false WHERE NOT EXISTS (SELECT FROM department_members m
            WHERE m.department_id = ANY (lines.ids) AND m.user_id = e.reserved_user_id)) m
        JOIN users u ON u.tenant_id = c.tenant_id AND u.id = m.user_id
        JOIN presences p ON p.user_id = u.id
      WHERE c.tenant_id = $1 AND c.id = $2`,
    values: [tenantId, callId, now],
  };
}

/** The subscription of the tenant, and the calls that count for the plan's max_concurrent_calls: active and offered ones. */
export function concurrentCallsStatement(tenantId: string): Statement {
  return {
    text: `SELECT s.plan, s.status, s.grace_deadline,
        ((SELECT count(*) FROM calls WHERE tenant_id = $1 AND status = 'active')
          + (SELECT count(*) FROM offers WHERE tenant_id = $1 AND status = 'pending' AND kind <> 'transfer'))::int AS count
      FROM subscriptions s WHERE s.tenant_id = $1`,
    values: [tenantId],
  };
}
