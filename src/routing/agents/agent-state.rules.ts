import type { ChosenPresence, Presence } from '../../presence/presence.rules';

/** The states of an agent: theirs is the first that applies. */
export const AGENT_STATES = ['on_call', 'offline', 'offered', 'wrap_up', 'paused', 'available'] as const;

export type AgentState = (typeof AGENT_STATES)[number];

/** What an agent's state depends on. */
export interface AgentFacts {
  /** The status of the agent's open calls: `active` if one of them is; null without any. */
  call: 'assigned' | 'active' | null;
  has_socket: boolean;
  has_pending_offer: boolean;
  /** Cleared when it has passed, so that the state does not depend on a clock. */
  wrap_up_until: Date | null;
  chosen: ChosenPresence;
}

/** The state in the view `agent_states`, which a test compares with this one. */
export function agentStateOf(facts: AgentFacts): AgentState {
  if (facts.call !== null) return 'on_call';
  if (!facts.has_socket) return 'offline';
  if (facts.has_pending_offer) return 'offered';
  if (facts.wrap_up_until !== null) return 'wrap_up';
  return facts.chosen === 'away' ? 'paused' : 'available';
}

/**
 * The presence of the view `user_presence`, which a test compares with this one. A ringing call shows what the user chose,
 * and so does an offer: it is withdrawn when its agent chooses to be away.
 */
export function presenceOf({ call, has_socket, wrap_up_until, chosen }: AgentFacts): Presence {
  if (call === 'active') return 'busy';
  if (!has_socket) return 'offline';
  return call === null && wrap_up_until !== null ? 'busy' : chosen;
}

/** An agent as their state was announced last. */
export interface AnnouncedAgent {
  state: AgentState;
  /** When the state began. */
  since: Date;
  /** Since when the agent has been waiting for a call; null if they have never been available. */
  idle_since: Date | null;
}

/** A reload of the page, or a lost connection that is back within this time, does not make the agent available again. */
export const MAX_INTERRUPTION_MS = 15_000;

const isWorking = (state: AgentState): boolean => state === 'on_call' || state === 'wrap_up';

/**
 * `idle_since` after a change of state: the latest of the end of the last call, the end of wrap-up, and the time at which
 * the agent became available. An offer that ends without a call changes nothing. The statement that announces states
 * computes the same; a test compares the two.
 * @param now when the state changed
 */
export function idleSinceAfter(before: AnnouncedAgent, state: AgentState, now: Date): Date | null {
  const hasFinishedWork = isWorking(before.state) && !isWorking(state);
  return hasFinishedWork || (state === 'available' && wasAway(before, now)) ? now : before.idle_since;
}

function wasAway({ state, since, idle_since }: AnnouncedAgent, now: Date): boolean {
  if (idle_since === null || state === 'paused') return true;
  return state === 'offline' && now.getTime() - since.getTime() >= MAX_INTERRUPTION_MS;
}
