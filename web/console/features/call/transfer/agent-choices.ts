import type { AgentItem } from '../../../../shared/socket';

const isFree = ({ state }: AgentItem) => state === 'available';

/** The colleagues of an agent, those who can take a call first. */
export function agentChoices(agents: readonly AgentItem[], userId: string): AgentItem[] {
  return agents
    .filter((agent) => agent.user_id !== userId && agent.state !== 'offline')
    .sort((one, other) => Number(isFree(other)) - Number(isFree(one)) || (one.name < other.name ? -1 : 1));
}
