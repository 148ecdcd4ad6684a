/** Media or ICE checks of the other side stopped this long ago: earlier than the browser says `disconnected`. */
export const STALL_AFTER_MS = 3000;

/** Without media only ICE checks arrive, every 2 to 5 s. */
export const QUIET_STALL_AFTER_MS = 8000;

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

/** @param expectsMedia whether the other side has a microphone, camera or screen on */
export function isAlive(liveness: Liveness, expectsMedia: boolean, now: number): boolean {
  if (liveness.lastAt === null) return false;
  return now - liveness.lastAt < (expectsMedia ? STALL_AFTER_MS : QUIET_STALL_AFTER_MS);
}
