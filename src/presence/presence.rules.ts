/** An agent's presence as colleagues see it. */
export const PRESENCES = ['online', 'away', 'busy', 'offline'] as const;

export type Presence = (typeof PRESENCES)[number];

/** The presences that an agent can choose; `busy` and `offline` follow from calls and connections. */
export const CHOSEN_PRESENCES = ['online', 'away'] as const;

export type ChosenPresence = (typeof CHOSEN_PRESENCES)[number];
