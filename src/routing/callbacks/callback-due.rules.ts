/** A customer whose estimated wait is shorter than this is invited: by then they should be back. */
const INVITE_BEFORE_SECONDS = 120;

/** The place of a call whose customer will be called back. */
export interface CallbackPlace {
  /** 1 is next. */
  position: number;
  /** Seconds. */
  estimated_wait_time: number;
}

/** The agents of the department. At least one who could take the call is reachable; otherwise no callback is due. */
export interface LineAgents {
  /** Who could be given a call now. */
  available_agents: number;
}

/** Whether the place of the call alone makes it due: everybody before it could be given to an agent now. */
export const isNearFront = ({ position }: CallbackPlace, { available_agents }: LineAgents): boolean =>
  position <= 1 + available_agents;

/** Whether the call will be served soon. */
export const isServedSoon = ({ estimated_wait_time }: Pick<CallbackPlace, 'estimated_wait_time'>): boolean =>
  estimated_wait_time < INVITE_BEFORE_SECONDS;
