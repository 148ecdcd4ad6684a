/** The service sends nothing while nothing happens; from this silence on the page must ask whether it is still there. */
export const ASK_AFTER_MS = 20_000;
/** More than two questions without an answer. */
const STALE_AFTER_MS = 50_000;

interface News {
  isConnected: boolean;
  /** When the service last sent something, in milliseconds since 1970; null if it never has. */
  newsAt: number | null;
  now: number;
}

/** @returns since when nothing was heard, in milliseconds since 1970; null while the news is fresh */
export function staleSince({ isConnected, newsAt, now }: News): number | null {
  if (newsAt === null) return null;
  return !isConnected || now - newsAt > STALE_AFTER_MS ? newsAt : null;
}
