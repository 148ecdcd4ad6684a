import { naturalOrder } from '../../platform/database/natural-order';
import type { Statement } from '../../platform/database/statement';
import type { AgentReportDto } from './agent-report.dto';
import { AGENT_OFFERS, type AgentOffers, agentOffersSql, offerFigures } from './agent-offers';
import { AGENT_PARTS, type AgentParts, agentPartsSql, partFigures } from './agent-parts';
import { type Bind, orZero } from './agent-source';
import { AGENT_TIMES, type AgentTimes, agentTimesSql, timeFigures } from './agent-times';
import type { SumsSource } from '../call-sums';
import { type CallSums, callFigures, NO_CALLS } from '../figures';
import type { ReportParameters } from '../report-parameters-reader';

/** The sums of calls are null for an agent without calls in the period. */
export type AgentRow = { [Sum in keyof CallSums]: CallSums[Sum] | null } & AgentTimes &
  AgentOffers &
  AgentParts & { user_id: string; user_name: string };

/** Selects an AgentRow for each agent: the sums of their calls, their presence, their offers and their parts. */
export function agentReportStatement(parameters: ReportParameters, source: SumsSource): Statement {
  const { scope } = parameters;
  const values = [...source.values];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const user = scope.user_id ? `AND u.id = ${bind(scope.user_id)}` : '';
  const isListed = scope.department_id
    ? `u.active AND u.id IN (SELECT user_id FROM department_members WHERE department_id = ${bind(scope.department_id)})`
    : 'u.active OR p.user_id IS NOT NULL';
  const columns = [orZero('p', AGENT_TIMES), orZero('o', AGENT_OFFERS), orZero('q', AGENT_PARTS)];
  return {
    text: `SELECT u.id AS user_id, u.name AS user_name, s.*, ${columns.join(', ')}
      FROM users u
      LEFT JOIN (SELECT c.user_id AS agent_id, ${source.sums} FROM ${source.from} GROUP BY c.user_id) s
        ON s.agent_id = u.id
      LEFT JOIN (${agentTimesSql(parameters, bind)}) p ON p.user_id = u.id
      LEFT JOIN (${agentOffersSql(parameters, bind)}) o ON o.user_id = u.id
      LEFT JOIN (${agentPartsSql(parameters, bind)}) q ON q.user_id = u.id
      WHERE u.tenant_id = ${bind(scope.tenant_id)} ${user}
        AND (s.agent_id IS NOT NULL OR o.user_id IS NOT NULL OR q.user_id IS NOT NULL OR ${isListed})
      ORDER BY ${naturalOrder('u.name')}, u.id`,
    values,
  };
}

export function agentReport(row: AgentRow): AgentReportDto {
  const sums = row.total_calls === null ? NO_CALLS : (row as CallSums);
  const figures = callFigures(sums);
  return {
    user_id: row.user_id,
    user_name: row.user_name,
    answered: figures.answered_calls,
    missed: figures.missed_calls,
    dropped: figures.dropped_calls,
    average_wait_time: figures.average_wait_time,
    average_duration: figures.average_duration,
    ...partFigures(row, sums),
    average_rating: figures.average_rating,
    ...offerFigures(row),
    ...timeFigures(row),
  };
}
