/** A customer whose estimated wait is shorter than this is invited: by then they should be back. */
const INVITE_BEFORE_SECONDS = 120;

/** The place of a call whose customer will be called back. */
export interface CallbackPlace {
  /** 1 is next. */
  position: number;
  /** Seconds. */
  estimated_wait_time: number;
}

/** The agents of the department. */
export interface LineAgents {
  /** Who could be given a call now. */
  available_agents: number;
  /** Who are online or busy: without any, an estimate says nothing. */
  reachable_agents: number;
}

/** Whether it is nearly the turn of a call, so that its customer is invited to return. */
export function isCallbackDue(
  { position, estimated_wait_time }: CallbackPlace,
  { available_agents, reachable_agents }: LineAgents,
): boolean {
  return (
    position <= 1 + available_agents || (reachable_agents > 0 && estimated_wait_time < INVITE_BEFORE_SECONDS)
  );
}
