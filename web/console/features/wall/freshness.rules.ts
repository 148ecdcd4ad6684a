/** The service sends nothing while nothing happens; from this silence on the page must ask whether it is still there. */
export const ASK_AFTER_MS = 20_000;
/** The page asks every 5 s until there is news, so this is more than two questions without an answer. */
const ANSWER_TIMEOUT_MS = 30_000;

interface News {
  isConnected: boolean;
  /** When the service last sent something, in milliseconds since 1970; null if it never has. */
  newsAt: number | null;
  /** When the page asked first after some news, in milliseconds since 1970; null if it never has. */
  askedAt: number | null;
  now: number;
}

/** @returns when the page first asked about the present silence, in milliseconds since 1970; null if it has not asked */
export const unansweredSince = ({ newsAt, askedAt }: Pick<News, 'newsAt' | 'askedAt'>): number | null =>
  askedAt !== null && askedAt > (newsAt ?? 0) ? askedAt : null;

/**
 * Silence alone says nothing: nothing may have happened, and nobody asks while another page is shown.
 * @returns since when nothing was heard, in milliseconds since 1970; null while the news is fresh
 */
export function staleSince({ isConnected, newsAt, askedAt, now }: News): number | null {
  if (newsAt === null) return null;
  const since = unansweredSince({ newsAt, askedAt });
  return !isConnected || (since !== null && now - since > ANSWER_TIMEOUT_MS) ? newsAt : null;
}
