import { type Bind, inPeriod, inScope, sumsOfDays } from './agent-source';
import { wholeSeconds } from '../call-sums';
import { type CallSums, quotient } from '../figures';
import type { ReportParameters } from '../report-parameters-reader';

/** Ended parts of an agent in calls that arrived in the period. */
export interface AgentParts {
  parts: number;
  /** Seconds in total, without the wrap-up. */
  part_time: number;
  /** Seconds of wrap-up that followed, in total. */
  wrap_up_time: number;
  transfers: number;
}

export const AGENT_PARTS = [
  'parts',
  'part_time',
  'wrap_up_time',
  'transfers',
] as const satisfies (keyof AgentParts)[];

/** Selects the AgentParts of each agent with a part in the period. */
export function agentPartsSql(parameters: ReportParameters, bind: Bind): string {
  const condition = inScope(parameters, bind);
  if (parameters.refreshed_at !== null) {
    return sumsOfDays('agent_part_days', AGENT_PARTS, parameters, condition, bind);
  }
  return `SELECT user_id, count(*) AS parts, sum(${wholeSeconds('started_at', 'ended_at')}) AS part_time,
      COALESCE(sum(wrap_up_time), 0) AS wrap_up_time, count(*) FILTER (WHERE ended_by = 'transferred') AS transfers
    FROM call_parts
    WHERE ${condition} AND ${inPeriod('joined_at', parameters, bind)} AND ended_at IS NOT NULL
    GROUP BY user_id`;
}

/**
 * The figures of the report. For calls that ended before parts were recorded, their duration counts.
 * @param sums of the calls whose last agent this one is
 */
export function partFigures(
  { parts, part_time, wrap_up_time, transfers }: AgentParts,
  { calls_without_parts, duration_without_parts }: CallSums,
) {
  const handle_time = part_time + wrap_up_time + duration_without_parts;
  return {
    average_handle_time: quotient(handle_time, parts + calls_without_parts, 1),
    wrap_up_time,
    transfers,
  };
}
