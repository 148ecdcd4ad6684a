import { REACHABLE_STATES } from './eligibility.rules';

/**
 * SQL of the rule ineligibilityOf, shared by the statements that find calls and agents. OFFSET 0 keeps PostgreSQL from
 * joining whole tables for what is read for a few rows.
 */

const REACHABLE = REACHABLE_STATES.map((state) => `'${state}'`).join(', ');

/** Whether the user could take a call now or soon: a reserved one is kept for them. */
export const isReachable = (user: string): string => `EXISTS (SELECT FROM presences r
  WHERE r.user_id = ${user} AND r.state IN (${REACHABLE}) OFFSET 0)`;

/**
 * Whether the user has the skills that an entry or a lane needs.
 * @param needs alias of a row with skill_ids and min_levels
 */
export const hasSkills = (needs: string, user: string): string => `NOT EXISTS (
  SELECT FROM unnest(${needs}.skill_ids, ${needs}.min_levels) AS needed (skill_id, min_level) WHERE NOT EXISTS (
    SELECT FROM user_skills s
    WHERE s.user_id = ${user} AND s.skill_id = needed.skill_id AND s.level >= needed.min_level OFFSET 0))`;

/** Whether the user declined or missed an offer of the call so recently that they get no other one. */
export const isExcluded = (call: string, user: string, now: string): string => `EXISTS (
  SELECT FROM offer_exclusions x WHERE x.call_id = ${call} AND x.user_id = ${user} AND x.until > ${now} OFFSET 0)`;

/** Whether an agent is being offered the call. @param tenant of the call */
export const isOffered = (tenant: string, call: string): string => `EXISTS (
  SELECT FROM offers o WHERE o.tenant_id = ${tenant} AND o.call_id = ${call} AND o.status = 'pending' OFFSET 0)`;
