/** What colleagues see of an agent. */
export const PRESENCES = ['online', 'away', 'busy', 'offline'] as const;

export type Presence = (typeof PRESENCES)[number];

/** What an agent can choose; whether they are connected, or in a call, is seen, not chosen. */
export const CHOSEN_PRESENCES = ['online', 'away'] as const;

export type ChosenPresence = (typeof CHOSEN_PRESENCES)[number];
