/** Media or ICE checks of the other side stopped this long ago: earlier than the browser says `disconnected`. */
export const STALL_AFTER_MS = 3000;

/** Without media only ICE checks arrive, every 2 to 5 s. */
export const QUIET_STALL_AFTER_MS = 8000;

/** A socket that had to connect again tells of another network, on which media need a new connection, too. */
export const SUSPECT_STALL_AFTER_MS = 1200;

/** When something last arrived from the other side. */
export interface Liveness {
  received: number;
  /** Milliseconds; null before anything arrived. */
  lastAt: number | null;
}

export const NOT_ALIVE: Liveness = { received: 0, lastAt: null };

export function updateLiveness(before: Liveness, sample: { received: number; at: number }): Liveness {
  if (sample.received > before.received) return { received: sample.received, lastAt: sample.at };
  return { ...before, received: sample.received };
}

/**
 * @param expectsMedia whether the other side has a microphone, camera or screen on
 * @param isSuspect whether the network has probably changed
 */
export function isAlive(liveness: Liveness, expectsMedia: boolean, isSuspect: boolean, now: number): boolean {
  if (liveness.lastAt === null) return false;
  return now - liveness.lastAt < stallAfter(expectsMedia, isSuspect);
}

function stallAfter(expectsMedia: boolean, isSuspect: boolean): number {
  if (!expectsMedia) return QUIET_STALL_AFTER_MS;
  return isSuspect ? SUSPECT_STALL_AFTER_MS : STALL_AFTER_MS;
}
