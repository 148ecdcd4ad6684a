/** Reachable agents who serve the same lines. */
export interface AgentGroup {
  agents: number;
  /** Calls ahead of the call in all lines of these agents, its own line included. */
  aheadInAll: number;
}

/**
 * How many agents serve a line. An agent of several lines takes the calls of all of them in the order of their rank, so they
 * count by the share of this line in the calls that they take up to and including this one. With no call ahead an agent is
 * shared, too: the calls ahead in their other lines come first.
 * @param ahead calls before this one in its line
 */
export function agentsOfLine(ahead: number, groups: readonly AgentGroup[]): number {
  return groups.reduce(
    (sum, { agents, aheadInAll }) => sum + (agents * (ahead + 1)) / (Math.max(ahead, aheadInAll) + 1),
    0,
  );
}
