import { Injectable } from '@nestjs/common';
import { localTime } from '../../platform/clock/time-zone';
import type { Transaction } from '../../platform/database/transaction';
import type { OfferCandidate } from './offer.events';
import { hasSkills, isExcluded, isReachable } from './eligibility-sql';

/** The timeline shows that many agents who could have been offered a call. */
const MAX_CANDIDATES = 10;

/** As Date.toISOString writes it. */
const isoTime = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The level in all skills that the call was given at the join, also after they were relaxed. */
const SUM_OF_LEVELS = `COALESCE((SELECT sum(s.level) FROM user_skills s WHERE s.user_id = p.user_id AND s.skill_id IN (
    SELECT (r ->> 'skill_id')::uuid FROM calls c, jsonb_array_elements(c.required_skills) r WHERE c.id = e.call_id)), 0)`;

/** The calls that the agent started today in the time zone of the company. */
const callsToday = (now: string) =>
  `CASE WHEN p.calls_day = (SELECT ${localTime(`${now}::timestamptz`)}::date
      FROM tenants t JOIN timezone_offsets z ON z.name = lower(t.timezone) WHERE t.id = $1)
    THEN p.calls_count ELSE 0 END`;

/** SQL expressions of a waiting call of the tenant $1, of the department in whose line it is found, and of the time. */
interface CallSql {
  call: string;
  department: string;
  now: string;
}

/**
 * The agents `p` who may be offered the call, whose entry is `e`: the rule ineligibilityOf as SQL. The settings `d` are those of
 * the department that the call joined, also if it overflowed.
 */
const agentsOf = ({ call, department, now }: CallSql) => `FROM line_entries e
    JOIN departments d ON d.tenant_id = e.tenant_id AND d.id = COALESCE(e.overflowed_from, e.department_id)
    JOIN presences p ON p.tenant_id = e.tenant_id AND p.state = 'available'
    JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id AND u.active
  WHERE e.tenant_id = $1 AND e.call_id = ${call} AND e.department_id = ${department}
    AND p.user_id IN (SELECT m.user_id FROM department_members m WHERE m.department_id = ${department}
                      UNION ALL SELECT e.reserved_user_id)
    AND (e.reserved_user_id IS NULL OR p.user_id = e.reserved_user_id OR NOT ${isReachable('e.reserved_user_id')})
    AND ((p.user_id = e.reserved_user_id) IS TRUE OR ${hasSkills('e', 'p.user_id')})
    AND NOT ${isExcluded('e.call_id', 'p.user_id', now)}`;

/** The best one first: the rule selectAgent as SQL. */
const inOrder = (now: string) => `ORDER BY CASE d.agent_selection WHEN 'most_skilled' THEN -${SUM_OF_LEVELS}
    WHEN 'fewest_today' THEN ${callsToday(now)} ELSE 0 END, p.idle_since, p.user_id`;

/**
 * Selects user_id and place of the best agent for the call, and of the agent at this place among those who can take it.
 * @param place SQL of a number from 1
 */
export const bestAgentsOf = (sql: CallSql, place: string) => `SELECT a.user_id, a.place
  FROM (SELECT p.user_id, row_number() OVER (${inOrder(sql.now)}) AS place ${agentsOf(sql)}) a WHERE a.place IN (1, ${place})`;

/** An expression: the best agents for the call as OfferCandidate[]. */
export const candidatesOf = (sql: CallSql) => `COALESCE((
    SELECT jsonb_agg(jsonb_build_object('user_id', a.user_id, 'idle_since', ${isoTime('a.idle_since')}, 'skills', COALESCE(
        (SELECT jsonb_agg(jsonb_build_object('skill_id', s.skill_id, 'level', s.level) ORDER BY s.skill_id)
         FROM user_skills s WHERE s.user_id = a.user_id), '[]')) ORDER BY a.place)
    FROM (SELECT p.user_id, p.idle_since, row_number() OVER (${inOrder(sql.now)}) AS place ${agentsOf(sql)}
      ORDER BY place LIMIT ${MAX_CANDIDATES}) a), '[]')`;

const LOCK_AGENT = `SELECT p.user_id ${agentsOf({ call: '$2', department: '$3', now: '$4' })} AND p.user_id = $5
  FOR NO KEY UPDATE OF p SKIP LOCKED`;

/** A waiting call in the line of a department: its own, or the one to which it overflowed. */
export interface CallInLine {
  tenant_id: string;
  call_id: string;
  department_id: string;
}

/** A waiting call, and the agents whom it can be offered to: at most 10, the best one first. */
export interface CallWithCandidates extends CallInLine {
  candidates: OfferCandidate[];
}

/** Locks the agent, if they can take the call. */
export const lockAgentStatement = (
  { tenant_id, call_id, department_id }: CallInLine,
  userId: string,
  now: Date,
) => ({ text: LOCK_AGENT, values: [tenant_id, call_id, department_id, now, userId] });

/** Locks an agent for a waiting call. */
@Injectable()
export class SelectAgent {
  /** @returns false if the agent can no longer take the call, or another transaction has locked their row */
  async lock(tx: Transaction, call: CallInLine, userId: string, now: Date): Promise<boolean> {
    const { text, values } = lockAgentStatement(call, userId, now);
    return (await tx.one(text, values)) !== undefined;
  }
}
