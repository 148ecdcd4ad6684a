import type { AgentItem } from '../../../shared/socket';

export type AgentState = AgentItem['state'];

/** The order of the wall: who can be given a call first. */
export const STATES = [
  'available',
  'offered',
  'on_call',
  'wrap_up',
  'paused',
  'offline',
] as const satisfies readonly AgentState[];

/** @returns how many agents are in each state */
export function countStates(agents: readonly AgentItem[]): Record<AgentState, number> {
  const counts = { available: 0, offered: 0, on_call: 0, wrap_up: 0, paused: 0, offline: 0 };
  for (const { state } of agents) counts[state]++;
  return counts;
}

/** @param state empty for all. @returns the agents by state, those who have been in it longest first */
export function agentsFor(agents: readonly AgentItem[], state: AgentState | '', search: string): AgentItem[] {
  const wanted = search.trim().toLocaleLowerCase();
  return agents
    .filter((agent) => !state || agent.state === state)
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .sort(
      (one, other) =>
        STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
        (one.since ?? '').localeCompare(other.since ?? '') ||
        one.name.localeCompare(other.name),
    );
}
