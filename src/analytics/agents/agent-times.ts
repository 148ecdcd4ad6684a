import { type Bind, sumsOfDays } from './agent-source';
import { quotient } from '../figures';
import type { ReportParameters } from '../report-parameters-reader';

/**
 * The periods `p` of presence that count for each time. A period without a state was recorded by an instance of a release
 * without states: its presence is the nearest to one.
 */
const CONDITIONS = {
  online_time: `p.presence IN ('online', 'busy')`,
  busy_time: `p.presence = 'busy' AND p.state IS DISTINCT FROM 'wrap_up'`,
  state_available: `p.state = 'available' OR p.state IS NULL AND p.presence = 'online'`,
  state_offered: `p.state = 'offered'`,
  state_on_call: `p.state = 'on_call' OR p.state IS NULL AND p.presence = 'busy'`,
  state_wrap_up: `p.state = 'wrap_up'`,
  state_paused: `p.state = 'paused' OR p.state IS NULL AND p.presence = 'away'`,
};

/** Seconds of the period that the agent was online or busy, in an active call (busy_time), and in each state. */
export type AgentTimes = Record<keyof typeof CONDITIONS, number>;

export const AGENT_TIMES = Object.keys(CONDITIONS);

/** Selects the AgentTimes of each agent with presence in the period. They are those of the whole agent, not of a department. */
export function agentTimesSql(parameters: ReportParameters, bind: Bind): string {
  const isOfTenant = `tenant_id = ${bind(parameters.scope.tenant_id)}`;
  return parameters.refreshed_at === null
    ? fromPeriods(parameters, isOfTenant, bind)
    : sumsOfDays('agent_state_days', AGENT_TIMES, parameters, isOfTenant, bind);
}

/** Counts presence up to now. A period in the future has none. */
function fromPeriods({ period, now }: ReportParameters, isOfTenant: string, bind: Bind): string {
  const from = bind(period.from);
  const until = bind(new Date(Math.max(Number(period.from), Math.min(Number(period.until), Number(now)))));
  const columns = Object.entries(CONDITIONS).map(([name, condition]) => `${seconds(condition)} AS ${name}`);
  return `SELECT p.user_id, ${columns.join(', ')}
    FROM (SELECT user_id, presence, state, GREATEST(began_at, ${from}::timestamptz) AS began,
            LEAST(ended_at, ${until}::timestamptz) AS ended
          FROM presence_periods
          WHERE ${isOfTenant} AND ended_at > ${from} AND began_at < ${until}) p
    GROUP BY p.user_id`;
}

/** Sums the intervals first, which is faster than converting each one to seconds. */
const seconds = (condition: string) =>
  `COALESCE(extract(epoch FROM sum(p.ended - p.began) FILTER (WHERE ${condition})), 0)::float8`;

/** Presence is recorded in milliseconds, of which the sums of days are not exact in floating point. */
const roundSeconds = (seconds: number) => Math.round(Math.round(seconds * 1000) / 1000);

/** The figures of the report. Occupancy is the time in calls and in wrap-up, divided by the time online or busy. */
export function timeFigures(times: AgentTimes) {
  return {
    occupancy: quotient(times.busy_time + times.state_wrap_up, times.online_time, 4),
    online_time: roundSeconds(times.online_time),
    state_times: {
      available: roundSeconds(times.state_available),
      offered: roundSeconds(times.state_offered),
      on_call: roundSeconds(times.state_on_call),
      wrap_up: roundSeconds(times.state_wrap_up),
      paused: roundSeconds(times.state_paused),
    },
  };
}
