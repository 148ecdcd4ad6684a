import type { AgentItem, CallItem } from '../../shared/socket';

/** @returns the agents, with the call at the one who has it now; the same list if nothing changed */
export function withCall(agents: AgentItem[], call: CallItem): AgentItem[] {
  const holder = call.status === 'assigned' || call.status === 'active' ? call.user_id : null;
  const callOf = (agent: AgentItem) => {
    if (agent.user_id === holder) return call.id;
    return agent.call_id === call.id ? null : agent.call_id;
  };
  if (agents.every((agent) => callOf(agent) === agent.call_id)) return agents;
  return agents.map((agent) => ({ ...agent, call_id: callOf(agent) }));
}
