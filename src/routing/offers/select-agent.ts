import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction';
import type { OfferCandidate } from './offer.events';
import { hasSkills, isExcluded, isReachable } from './eligibility-sql';

/** The timeline shows that many agents who could have been offered a call. */
const MAX_CANDIDATES = 10;

/** The level in all skills that the call was given at the join, also after they were relaxed. */
const SUM_OF_LEVELS = `COALESCE((SELECT sum(s.level) FROM user_skills s WHERE s.user_id = p.user_id AND s.skill_id IN (
    SELECT (r ->> 'skill_id')::uuid FROM calls c, jsonb_array_elements(c.required_skills) r WHERE c.id = e.call_id)), 0)`;

/** The calls that the agent started today in the time zone of the company. */
const CALLS_TODAY = `CASE WHEN p.calls_day = ($4::timestamptz AT TIME ZONE (SELECT timezone FROM tenants WHERE id = $1))::date
    THEN p.calls_count ELSE 0 END`;

/**
 * The agents who may be offered the call $2 in the department $3 of the tenant $1 at $4, the best one first: the rule
 * selectAgent as SQL.
 */
const AGENTS_OF_CALL = `FROM line_entries e
    JOIN departments d ON d.tenant_id = e.tenant_id AND d.id = e.department_id
    JOIN presences p ON p.tenant_id = e.tenant_id AND p.state = 'available'
    JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id AND u.active
  WHERE e.tenant_id = $1 AND e.call_id = $2 AND e.department_id = $3
    AND p.user_id IN (SELECT m.user_id FROM department_members m WHERE m.department_id = $3
                      UNION ALL SELECT e.reserved_user_id)
    AND (e.reserved_user_id IS NULL OR p.user_id = e.reserved_user_id OR NOT ${isReachable('e.reserved_user_id')})
    AND ((p.user_id = e.reserved_user_id) IS TRUE OR ${hasSkills('e', 'p.user_id')})
    AND NOT ${isExcluded('e.call_id', 'p.user_id', '$4')}
  ORDER BY CASE d.agent_selection WHEN 'most_skilled' THEN -${SUM_OF_LEVELS}
    WHEN 'fewest_today' THEN ${CALLS_TODAY} ELSE 0 END, p.idle_since, p.user_id`;

const BEST_AGENT = `SELECT p.user_id ${AGENTS_OF_CALL} LIMIT 1 FOR NO KEY UPDATE OF p SKIP LOCKED`;

const CANDIDATES = `SELECT p.user_id, p.idle_since,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('skill_id', s.skill_id, 'level', s.level) ORDER BY s.skill_id)
      FROM user_skills s WHERE s.user_id = p.user_id), '[]') AS skills
  ${AGENTS_OF_CALL} LIMIT ${MAX_CANDIDATES}`;

/** A waiting call in the line of a department. */
export interface CallInLine {
  tenant_id: string;
  call_id: string;
  department_id: string;
}

interface CandidateRow extends Omit<OfferCandidate, 'idle_since'> {
  idle_since: Date | null;
}

/** Locks and selects the best agent for the call. */
export const bestAgentStatement = (call: CallInLine, now: Date) => ({
  text: BEST_AGENT,
  values: valuesOf(call, now),
});

/** Selects the agent for a waiting call. */
@Injectable()
export class SelectAgent {
  /**
   * Locks the row of the best agent that no other transaction has locked.
   * @returns the id of the agent; undefined if nobody can take the call
   */
  async lockBest(tx: Transaction, call: CallInLine, now: Date): Promise<string | undefined> {
    const { text, values } = bestAgentStatement(call, now);
    return (await tx.one<{ user_id: string }>(text, values))?.user_id;
  }

  /** The agents who could be offered the call, at most 10, the best one first. */
  async candidates(tx: Transaction, call: CallInLine, now: Date): Promise<OfferCandidate[]> {
    const rows = await tx.query<CandidateRow>(CANDIDATES, valuesOf(call, now));
    return rows.map((row) => ({ ...row, idle_since: row.idle_since?.toISOString() ?? null }));
  }
}

const valuesOf = ({ tenant_id, call_id, department_id }: CallInLine, now: Date) => [
  tenant_id,
  call_id,
  department_id,
  now,
];
