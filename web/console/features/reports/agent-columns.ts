import type { components } from '../../../shared/api/client';
import type { CommonTexts } from '../../texts/en';
import type { FigureKind } from '../../ui/format-figure';
import type { ReportTexts } from './texts/en';

export type AgentReport = components['schemas']['AgentReportDto'];

export interface AgentColumn {
  label: string;
  kind: FigureKind;
  valueOf: (agent: AgentReport) => number | null;
}

/** The figures of an agent: calls, offers, times, then the time in each state. */
export function agentColumns(
  { agentFigures: names }: ReportTexts,
  { agentState }: CommonTexts,
): AgentColumn[] {
  return [
    { label: names.answered, kind: 'count', valueOf: (agent) => agent.answered },
    { label: names.missed, kind: 'count', valueOf: (agent) => agent.missed },
    { label: names.dropped, kind: 'count', valueOf: (agent) => agent.dropped },
    { label: names.offers, kind: 'count', valueOf: (agent) => agent.offers },
    { label: names.acceptance_rate, kind: 'share', valueOf: (agent) => agent.acceptance_rate },
    { label: names.declined_offers, kind: 'count', valueOf: (agent) => agent.declined_offers },
    { label: names.missed_offers, kind: 'count', valueOf: (agent) => agent.missed_offers },
    { label: names.average_answer_time, kind: 'seconds', valueOf: (agent) => agent.average_answer_time },
    { label: names.average_handle_time, kind: 'seconds', valueOf: (agent) => agent.average_handle_time },
    { label: names.transfers, kind: 'count', valueOf: (agent) => agent.transfers },
    { label: names.average_rating, kind: 'rating', valueOf: (agent) => agent.average_rating },
    { label: names.occupancy, kind: 'share', valueOf: (agent) => agent.occupancy },
    { label: names.online_time, kind: 'seconds', valueOf: (agent) => agent.online_time },
    { label: agentState.available, kind: 'seconds', valueOf: (agent) => agent.state_times.available },
    { label: agentState.on_call, kind: 'seconds', valueOf: (agent) => agent.state_times.on_call },
    { label: agentState.wrap_up, kind: 'seconds', valueOf: (agent) => agent.state_times.wrap_up },
    { label: agentState.paused, kind: 'seconds', valueOf: (agent) => agent.state_times.paused },
  ];
}
